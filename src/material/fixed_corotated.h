// Fixed corotated solid (MULTI 76-78). Snow is elastic in this way.
#pragma once

#include "material/model_concept.h"

namespace firn {

struct FixedCorotated : ElasticModel {
  static constexpr const char* kName = "fixed_corotated";
  static constexpr const char* kDescription =
      "soft solid whose stress is defined for flattened and inverted states too";
  static constexpr bool kSmoothlyInvertible = true;  // the energy has derivatives through J = 0
  template <class U>
  struct ParametersOf : ElasticParametersOf<U> {};
  using Parameters = ParametersOf<double>;
  static std::vector<PresetOf<Parameters>> presets();

  template <class S, int D>
  FIRN_INLINE static S energy_of_stretches(const Constants<S>& c, const Vec<S, D>& s, S J) {
    S norm2 = S(0);
    for (int i = 0; i < D; ++i) norm2 = norm2 + square(s[i] - S(1));
    return c.mu * norm2 + S(ScalarOf<S>(0.5)) * c.lambda * square(J - S(1));
  }

  // Principal Kirchhoff stresses 2 mu (s^2 - s) + lambda (J - 1) J, and the bound of the stiffness:
  // along an axis it is 2 mu s^2 + lambda J^2, and d tau / d ln s is 2 mu (2 s^2 - s) +
  // lambda (2 J^2 - J).
  template <class S, int D>
  FIRN_INLINE static Vec<S, D> principal_stress(const Constants<S>& c, const Vec<S, D>& s, S J,
                                                S& wave_modulus) {
    const S two_mu = S(2) * c.mu, pressure = c.lambda * (J - S(1)) * J;
    Vec<S, D> tau;
    S stiffest = S(0);
    for (int i = 0; i < D; ++i) {
      const S s2 = s[i] * s[i], stress = s2 - s[i];
      tau[i] = two_mu * stress + pressure;
      stiffest = max_of(stiffest, s2 + max_of(stress, S(0)));
    }
    wave_modulus = two_mu * stiffest + max_of(c.lambda * J * J, S(0)) + max_of(pressure, S(0));
    return tau;
  }

  template <class S, int D>
  FIRN_INLINE static S energy(const Constants<S>& c, const MaterialState<S, D, kScalars>& state) {
    const S J = determinant(state.F);
    return energy_of_stretches(c, signed_stretches(principal(times_own_transpose(state.F)), J), J);
  }

  template <class S, int D>
  FIRN_INLINE static StressUpdate<S, D> update(const Constants<S>& c,
                                               MaterialState<S, D, kScalars>& state) {
    const S J = determinant(state.F);
    const Principal<S, D> b = principal(times_own_transpose(state.F));
    StressUpdate<S, D> r;
    r.tau = assemble(b, principal_stress(c, signed_stretches(b, J), J, r.wave_modulus));
    r.plastic = S(0);
    return r;
  }
};

}  // namespace firn
