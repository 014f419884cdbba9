// Snow (MULTI 84-88): fixed corotated elasticity within a box of stretches, and moduli that harden
// under plastic compression and weaken under plastic extension.
#pragma once

#include "material/fixed_corotated.h"

namespace firn {

struct Snow {
  static constexpr const char* kName = "snow";
  static constexpr const char* kDescription = "snow that packs, sticks and breaks into chunks";
  static constexpr Vec<double, 3> kColor = {{0.70, 0.82, 0.95}};
  static constexpr bool kHasF = true;
  static constexpr bool kIsotropicStress = false;
  static constexpr bool kYields = true;
  static constexpr int kScalars = 1;
  static constexpr std::array<ScalarField, 1> kScalarFields = {
      {{"J_P", 1, "plastic volume ratio: below 1 packed and hard, above 1 loose and weak", 0.01,
        1000}}};

  template <class U>
  struct ParametersOf : ElasticParametersOf<U> {
    using typename ElasticParametersOf<U>::Number;
    U hardening = U(10);
    U critical_compression = U(Number(0.025));
    U critical_stretch = U(Number(0.0075));
    U max_hardening = U(100);
    U det_min = U(Number(0.6));
    U det_max = U(20);

    FIRN_HD ParametersOf() {
      this->youngs_modulus = U(Number(1.4e5));
      this->poisson_ratio = U(Number(0.2));
    }
    template <class V>
    void describe(V& v) {
      ElasticParametersOf<U>::describe(v);
      v.number("hardening", hardening,
               NumberInfo{"xi: moduli are scaled by exp(xi (1 - J_P))", "", 0, 100});
      v.number(
          "critical_compression", critical_compression,
          NumberInfo{"theta_c: stretches below 1 - theta_c become plastic; 1: never", "", 0, 1});
      v.number("critical_stretch", critical_stretch,
               NumberInfo{"theta_s: stretches above 1 + theta_s become plastic", "", 0, 1000});
      v.number("max_hardening", max_hardening,
               NumberInfo{"largest factor that hardening puts on the moduli", "", 1, 1e6});
      v.number("det_min", det_min, NumberInfo{"J_P is kept above this", "", 0.01, 1});
      v.number("det_max", det_max, NumberInfo{"J_P is kept below this", "", 1, 1000});
    }
  };
  using Parameters = ParametersOf<double>;
  static std::string check(const Parameters& p) { return check_elastic(p); }
  static std::vector<PresetOf<Parameters>> presets();
  static Parameters unyielding() {
    Parameters p;
    p.critical_compression = 1;
    p.critical_stretch = 100;
    return p;
  }

  template <class S>
  struct Constants {
    LameConstants<S> lame;
    S hardening, max_exponent, stretch_min, stretch_max, det_min, det_max;

    FIRN_INLINE Constants stiffened(S stiffness) const {
      Constants r = *this;
      r.lame = lame.stiffened(stiffness);
      return r;
    }
  };

  // Even where compression is never plastic a particle cannot be flattened to nothing.
  static constexpr double kSmallestStretch = 0.01;

  template <class S, int D, class U>
  FIRN_INLINE static Constants<S> constants(const ParametersOf<U>& p, S stiffness) {
    const U smallest = U(ScalarOf<U>(kSmallestStretch));
    return {lame_constants<S>(p).stiffened(stiffness),
            as_lanes<S>(p.hardening),
            as_lanes<S>(log_of(p.max_hardening)),
            as_lanes<S>(max_of(U(1) - p.critical_compression, smallest)),
            as_lanes<S>(U(1) + p.critical_stretch),
            as_lanes<S>(p.det_min),
            as_lanes<S>(p.det_max)};
  }

  template <class S>
  FIRN_INLINE static LameConstants<S> hardened(const Constants<S>& c, S J_P) {
    return c.lame.stiffened(exp_of(min_of(c.hardening * (S(1) - J_P), c.max_exponent)));
  }

  template <class S, int D>
  FIRN_INLINE static S energy(const Constants<S>& c, const MaterialState<S, D, kScalars>& state) {
    const S J = determinant(state.F);
    return FixedCorotated::energy_of_stretches(
        hardened(c, state.scalar[0]), signed_stretches(principal(times_own_transpose(state.F)), J),
        J);
  }

  // The stretches are clamped (84), F follows as U diag(s'/s) U^T F, and what the elastic volume
  // loses the plastic volume gains (88). An inverted state has a negative smallest stretch; the
  // clamp turns it over. That is an accident of the motion, not compaction: J_P, of which 88 would
  // make the hardest ice, stays.
  template <class S, int D>
  FIRN_INLINE static StressUpdate<S, D> update(const Constants<S>& c,
                                               MaterialState<S, D, kScalars>& state) {
    using T = ScalarOf<S>;
    const S J_trial = determinant(state.F);
    const Principal<S, D> b = principal(times_own_transpose(state.F));
    const Vec<S, D> trial = signed_stretches(b, J_trial);
    Vec<S, D> s;
    auto yields = trial[0] < c.stretch_min;
    for (int i = 0; i < D; ++i) {
      s[i] = clamp(trial[i], c.stretch_min, c.stretch_max);
      yields = yields | (trial[i] < c.stretch_min) | (trial[i] > c.stretch_max);
    }
    const S J = product(s);
    StressUpdate<S, D> r;
    r.plastic = select(yields, S(1), S(0));
    if (any(yields)) {
      Vec<S, D> factor;  // exactly 1 where nothing was clamped, so that other lanes keep F
      for (int i = 0; i < D; ++i) {
        const S size = max_of(abs_of(trial[i]), S(T(1e-4)));
        factor[i] = s[i] / select(trial[i] < S(0), -size, size);
      }
      state.F = assemble(b, factor) * state.F;
      const S J_P = clamp(state.scalar[0] * J_trial / J, c.det_min, c.det_max);
      state.scalar[0] = select(yields & (J_trial > S(0)), J_P, state.scalar[0]);
    }
    const LameConstants<S> lame = hardened(c, state.scalar[0]);
    r.tau = assemble(b, FixedCorotated::principal_stress(lame, s, J, r.wave_modulus));
    return r;
  }
};

}  // namespace firn
