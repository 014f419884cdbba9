// What the elastic parts of the models share: moduli, stretches, and the meaning of wave_modulus.
//
// wave_modulus bounds the stiffness that a wave of any direction n and polarisation m meets in the
// deformed body, d^2 Psi / d e^2 along F(e) = (I + e m n^T) F, and d tau_i / d ln(s_i) as well (the
// two differ by tau_i). Waves travel over the deformed body at most at sqrt(wave_modulus / rho_0),
// rho_0 being the initial density.
#pragma once

#include <array>
#include <string>
#include <type_traits>

#include "base/describe.h"
#include "base/spectrum.h"
#include "material/state.h"

namespace firn {

// A modulus that is not given, outside every range.
inline constexpr double kNotGiven = -1e30;

// U is double, or lanes: one value for each of several particles.
template <class U>
struct ElasticParametersOf {
  using Number = ScalarOf<U>;
  U youngs_modulus = U(Number(1e5));
  U poisson_ratio = U(Number(0.3));
  // Lame's constants in place of the two above: both are given, or none.
  U given_mu = U(Number(kNotGiven));
  U given_lambda = U(Number(kNotGiven));

  // Lame's constants; in 2D (plane strain) they are the same.
  FIRN_HD U mu() const {
    if (is_given(given_mu)) return given_mu;
    return youngs_modulus / (U(2) * (U(1) + poisson_ratio));
  }
  FIRN_HD U lambda() const {
    if (is_given(given_lambda)) return given_lambda;
    return youngs_modulus * poisson_ratio /
           ((U(1) + poisson_ratio) * (U(1) - U(2) * poisson_ratio));
  }
  // The same for all lanes: a branch, not a select.
  FIRN_HD static bool is_given(U modulus) { return any(modulus > U(Number(0.5 * kNotGiven))); }

  // shear: the model needs some, since it divides by mu.
  template <class V>
  void describe(V& v, bool shear = false) {
    v.number("mu", given_mu,
             NumberInfo{shear ? "Lame's constant: the shear modulus; with lambda in place of "
                                "Young's modulus and Poisson's ratio"
                              : "Lame's constant: the shear modulus, 0: none; with lambda in place "
                                "of Young's modulus and Poisson's ratio",
                        "Pa", 0, 1e13, shear});
    v.number("lambda", given_lambda,
             NumberInfo{"Lame's other constant: the bulk modulus is lambda + 2/3 mu", "Pa", -1e13,
                        1e13, false, false, 0});
    v.number("youngs_modulus", youngs_modulus,
             NumberInfo{"stress per strain in uniaxial tension", "Pa", 0, 1e13, true});
    v.number("poisson_ratio", poisson_ratio,
             NumberInfo{"contraction across per extension along; 0.5 would be incompressible", "",
                        -1, 0.5, true, true});
  }
};
using ElasticParameters = ElasticParametersOf<double>;

// What is wrong among elastic parameters that are each in their range, or an empty string.
std::string check_elastic(const ElasticParameters& p);

// Moduli as the hot loop needs them. Those of one material are made once by Model::constants and
// scaled per particle by stiffened.
template <class S>
struct LameConstants {
  S mu, lambda;

  FIRN_INLINE LameConstants stiffened(S stiffness) const {
    return {mu * stiffness, lambda * stiffness};
  }
};

// What was found in double precision or in lanes, as lanes.
template <class S, class U>
FIRN_INLINE S as_lanes(U x) {
  if constexpr (std::is_same_v<S, U>)
    return x;
  else
    return S(ScalarOf<S>(x));
}

template <class S, class U>
FIRN_INLINE LameConstants<S> lame_constants(const ElasticParametersOf<U>& p) {
  return {as_lanes<S>(p.mu()), as_lanes<S>(p.lambda())};
}

// Parameters and interface of a model without plasticity or scalars of its own.
struct ElasticModel {
  static constexpr bool kHasF = true;
  static constexpr bool kIsotropicStress = false;
  static constexpr bool kYields = false;
  static constexpr int kScalars = 0;
  static constexpr std::array<ScalarField, 0> kScalarFields{};

  template <class S>
  using Constants = LameConstants<S>;

  template <class S, int D, class U>
  FIRN_INLINE static Constants<S> constants(const ElasticParametersOf<U>& p, S stiffness) {
    return lame_constants<S>(p).stiffened(stiffness);
  }
  static std::string check(const ElasticParameters& p) { return check_elastic(p); }
};

// Principal stretches with the sign of det F = J on the smallest, in the order of the principal
// values of b = F F^T. The smallest follows from J and the others: the square root of an eigenvalue
// that nearly vanishes would lose half of its digits, and would not know the sign.
template <class S, int D>
FIRN_INLINE Vec<S, D> signed_stretches(const Principal<S, D>& b, S J) {
  using T = ScalarOf<S>;
  const S floor = sum(b.value) * S(sizeof(T) == 4 ? T(1e-8) : T(1e-16)) + S(detail::kTinySquare<T>);
  if constexpr (D == 2) {
    const S larger = sqrt_of(max_of(b.value[0], floor));
    return {{larger, J / larger}};
  } else {
    const auto first_smallest = b.value[0] < b.value[2];
    const S middle = sqrt_of(max_of(b.value[1], floor));
    const S other = sqrt_of(max_of(max_of(b.value[0], b.value[2]), floor));
    const S smallest = J / (middle * other);
    return {
        {select(first_smallest, smallest, other), middle, select(first_smallest, other, smallest)}};
  }
}

}  // namespace firn
