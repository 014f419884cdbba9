// Neo-Hookean solid without logarithm of the volume (after Smith, de Goes and Kim 2018): smooth for
// every F, flat and inverted ones too.
//
//   Psi = m/2 (I - d) - m/2 ln((I + 1) / (d + 1)) - mu (J - 1) + L/2 (J - 1)^2,   I = |F|^2
//
// With m = mu (d + 1) / d and L = lambda + mu - 2 mu / (d (d + 1)) it has Hooke's law at rest, in
// two dimensions (plane strain) as in three.
#pragma once

#include "material/model_concept.h"

namespace firn {

struct StableNeoHookean : ElasticModel {
  static constexpr const char* kName = "stable_neo_hookean";
  static constexpr const char* kDescription =
      "rubber-like solid that is smooth for flattened and inverted states too";
  static constexpr bool kSmoothlyInvertible = true;
  template <class U>
  struct ParametersOf : ElasticParametersOf<U> {};
  using Parameters = ParametersOf<double>;
  static std::vector<PresetOf<Parameters>> presets();

  // m and L above.
  template <int D, class S>
  FIRN_INLINE static S shear_factor(const Constants<S>& c) {
    return c.mu * S(ScalarOf<S>((D + 1.0) / D));
  }
  template <int D, class S>
  FIRN_INLINE static S volume_factor(const Constants<S>& c) {
    return c.lambda + c.mu * S(ScalarOf<S>(1 - 2.0 / (D * (D + 1.0))));
  }
  // Psi_I-part of the slopes, m (1 - 1 / (I + 1)), and the slope by J.
  template <int D, class S>
  FIRN_INLINE static S along(const Constants<S>& c, S I) {
    return shear_factor<D>(c) * I / (I + S(1));
  }
  template <int D, class S>
  FIRN_INLINE static S by_volume(const Constants<S>& c, S J) {
    return volume_factor<D>(c) * (J - S(1)) - c.mu;
  }

  // |s|^2 - d - 2 (J - 1) is of second order in x = s - 1, and so is z - ln(1 + z) in
  // z = (|s|^2 - d) / (d + 1): both without differences of numbers that are alike.
  template <class S, int D>
  FIRN_INLINE static S energy_of_stretches(const Constants<S>& c, const Vec<S, D>& s) {
    using T = ScalarOf<S>;
    S squares = S(0), products = S(0), all = S(1), grown = S(0), stretched = S(0);
    for (int i = 0; i < D; ++i) {
      const S x = s[i] - S(1);
      squares = squares + x * x;
      for (int j = i + 1; j < D; ++j) products = products + x * (s[j] - S(1));
      all = all * x;
      stretched = stretched + x * (S(2) + x);
    }
    grown = products + (D == 3 ? all : S(0));  // J - 1 without the sum of x
    S growth = grown;
    for (int i = 0; i < D; ++i) growth = growth + (s[i] - S(1));
    const S z = stretched * S(T(1.0 / (D + 1))), y = z / (S(2) + z), y2 = y * y;
    constexpr int kTerms = sizeof(T) == 4 ? 4 : 8;
    S tail = S(0);
    for (int k = kTerms; k >= 1; --k) tail = tail * y2 + S(T(2) / T(2 * k + 1));
    const S near = z * y - y * y2 * tail, far = z - log_of(S(1) + z);
    return S(T(0.5)) * (c.mu * (squares - S(2) * grown) +
                        shear_factor<D>(c) * select(y2 < S(T(0.01)), near, far) +
                        volume_factor<D>(c) * growth * growth);
  }

  template <class S, int D>
  FIRN_INLINE static S energy(const Constants<S>& c, const MaterialState<S, D, kScalars>& state) {
    const S J = determinant(state.F);
    return energy_of_stretches(c, signed_stretches(principal(times_own_transpose(state.F)), J));
  }

  // tau = k b + q J I with k, q of along() and by_volume(). Along an axis d tau / d ln s is
  // 2 k s^2 + 2 m s^4 / (I + 1)^2 + L J^2 + q J; a wave meets k s^2 + 2 m s^4 / (I + 1)^2 + L J^2
  // at most.
  template <class S, int D>
  FIRN_INLINE static StressUpdate<S, D> update(const Constants<S>& c,
                                               MaterialState<S, D, kScalars>& state) {
    const S J = determinant(state.F), I = contract(state.F, state.F);
    const SymMat<S, D> b = times_own_transpose(state.F);
    const S k = along<D>(c, I), q = by_volume<D>(c, J) * J;
    StressUpdate<S, D> r;
    for (int i = 0; i < SymMat<S, D>::kSize; ++i) r.tau.e[i] = i < D ? k * b.e[i] + q : k * b.e[i];
    const S stretch2 = largest_eigenvalue_bound(b), share = stretch2 / (I + S(1));
    r.wave_modulus = k * stretch2 + S(2) * shear_factor<D>(c) * share * share +
                     max_of(volume_factor<D>(c), S(0)) * J * J + max_of(k * stretch2 + q, S(0));
    r.plastic = S(0);
    return r;
  }
};

}  // namespace firn
