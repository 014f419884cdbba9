// Neo-Hookean solid (MULTI 74, 75).
#pragma once

#include "material/model_concept.h"

namespace firn {

struct NeoHookean : ElasticModel {
  static constexpr const char* kName = "neo_hookean";
  static constexpr const char* kDescription = "rubber-like solid for large deformations";
  template <class U>
  struct ParametersOf : ElasticParametersOf<U> {};
  using Parameters = ParametersOf<double>;
  static std::vector<PresetOf<Parameters>> presets();

  // ln J is continued below this J by a constant: stress and energy stay finite for J <= 0, and the
  // pressure, about 7 lambda, still drives the particle back.
  static constexpr double kSmallestJ = 1e-3;

  template <class S, int D>
  FIRN_INLINE static S log_J(const Mat<S, D>& F) {
    return log_of(max_of(determinant(F), S(ScalarOf<S>(kSmallestJ))));
  }

  template <class S, int D>
  FIRN_INLINE static S energy(const Constants<S>& c, const MaterialState<S, D, kScalars>& state) {
    using T = ScalarOf<S>;
    const S ln_J = log_J(state.F);
    const S shear = S(T(0.5)) * (contract(state.F, state.F) - S(D)) - ln_J;
    return c.mu * shear + S(T(0.5)) * c.lambda * ln_J * ln_J;
  }

  // tau = mu (b - I) + lambda ln J I. The stiffness along n, polarisation m, is
  // mu n.b n + (m.n)^2 (mu + lambda (1 - ln J)).
  template <class S, int D>
  FIRN_INLINE static StressUpdate<S, D> update(const Constants<S>& c,
                                               MaterialState<S, D, kScalars>& state) {
    const S ln_J = log_J(state.F);
    const SymMat<S, D> b = times_own_transpose(state.F);
    StressUpdate<S, D> r;
    const S isotropic = c.lambda * ln_J - c.mu;
    for (int i = 0; i < SymMat<S, D>::kSize; ++i)
      r.tau.e[i] = i < D ? c.mu * b.e[i] + isotropic : c.mu * b.e[i];
    const S stretch2 = largest_eigenvalue_bound(b);
    r.wave_modulus = c.mu * (stretch2 + max_of(stretch2, S(1))) +
                     max_of(c.lambda, c.lambda * (S(1) - ln_J));  // lambda may be negative
    r.plastic = S(0);
    return r;
  }
};

}  // namespace firn
