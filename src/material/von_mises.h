// Metals and clay: Hencky elasticity inside von Mises' cylinder (J2 plasticity, associated flow),
// which hardens linearly, by Voce's law, or both.
//
// With the deviator of the logarithmic strain e and the equivalent plastic strain q, the yield
// condition sqrt(3/2) |dev tau| <= Y(q), divided by sqrt(3/2) 2 mu, reads
//   |dev(e)| <= radius(q) = sqrt(2/3) Y(q) / (2 mu),
//   Y(q) = yield_stress + hardening_modulus q + voce_stress (1 - exp(-voce_rate q)).
// A state outside flows by f along its deviator, q grows by sqrt(2/3) f, the volume stays:
//   |dev(e)| - f = radius(q + sqrt(2/3) f).
// The left side less the right is convex and falls in f, so that Newton's method from f = 0 comes
// up to the root from below and never passes it; without Voce's part the first step is exact.
//
// In 2D (plane strain) the strain across the plane is zero as a whole, but its elastic part is not
// once the metal has yielded: it is a scalar of the particle, and takes part in the deviator. In 3D
// that scalar stays 0.
#pragma once

#include "material/strain_deviator.h"

namespace firn {

struct VonMises {
  static constexpr const char* kName = "von_mises";
  static constexpr const char* kDescription = "metal or clay: yields in shear and hardens";
  static constexpr bool kHasF = true;
  static constexpr bool kIsotropicStress = false;
  static constexpr bool kYields = true;
  static constexpr int kScalars = 2;
  static constexpr std::array<ScalarField, 2> kScalarFields = {
      {{"plastic_strain", 0, "equivalent plastic strain, the argument of the hardening law", 0,
        1e6},
       {"strain_across", 0, "2D: elastic logarithmic strain across the plane", -10, 10}}};

  template <class U>
  struct ParametersOf : ElasticParametersOf<U> {
    using typename ElasticParametersOf<U>::Number;
    U yield_stress = U(Number(2e4));
    U hardening_modulus = U(Number(1e4));
    U voce_stress = U(0);
    U voce_rate = U(10);

    FIRN_HD ParametersOf() {
      this->youngs_modulus = U(Number(2e6));
      this->poisson_ratio = U(Number(0.4));
    }
    template <class V>
    void describe(V& v) {
      ElasticParametersOf<U>::describe(v, true);
      v.number("yield_stress", yield_stress,
               NumberInfo{"stress in uniaxial tension at which it first yields", "Pa", 0, 1e13});
      v.number("hardening_modulus", hardening_modulus,
               NumberInfo{"linear hardening: stress gained per plastic strain", "Pa", 0, 1e13});
      v.number("voce_stress", voce_stress,
               NumberInfo{"Voce hardening: stress gained in the end; 0: none", "Pa", 0, 1e13});
      v.number("voce_rate", voce_rate,
               NumberInfo{"Voce hardening: 1 - exp(-rate q) of it at plastic strain q", "", 0, 1e4,
                          true});
    }
  };
  using Parameters = ParametersOf<double>;
  static std::string check(const Parameters& p) { return check_elastic(p); }
  static std::vector<PresetOf<Parameters>> presets();
  static Parameters unyielding() {
    Parameters p;
    p.yield_stress = 1e13;
    return p;
  }

  static constexpr double kRoot = 0.81649658092772603;  // sqrt(2/3)

  template <class S>
  struct Constants {
    LameConstants<S> lame;
    S yield, linear, voce;  // radius(q) = yield + linear q + voce (1 - exp(-rate q))
    S rate;
    bool saturates;  // the same for all lanes: a branch, not a select

    // Stresses of the yield condition stay what they are in Pa.
    FIRN_INLINE Constants stiffened(S stiffness) const {
      Constants r = *this;
      const S soften = S(1) / stiffness;
      r.lame = lame.stiffened(stiffness);
      r.yield = yield * soften;
      r.linear = linear * soften;
      r.voce = voce * soften;
      return r;
    }
  };

  template <class S, int D, class U>
  FIRN_INLINE static Constants<S> constants(const ParametersOf<U>& p, S stiffness) {
    const U strain = U(ScalarOf<U>(kRoot)) / (U(2) * p.mu());
    const Constants<S> c = {lame_constants<S>(p),
                            as_lanes<S>(strain * p.yield_stress),
                            as_lanes<S>(strain * p.hardening_modulus),
                            as_lanes<S>(strain * p.voce_stress),
                            as_lanes<S>(p.voce_rate),
                            any(p.voce_stress > U(0))};
    return c.stiffened(stiffness);
  }

  // The part f of |dev(e)| = size that flows; exactly 0 inside.
  template <class S>
  FIRN_INLINE static S flow(const Constants<S>& c, S size, S q) {
    using T = ScalarOf<S>;
    constexpr int kMostSteps = 50;
    const S root = S(T(kRoot)), tolerance = size * S(sizeof(T) == 4 ? T(4e-7) : T(1e-15));
    S f = S(0);
    for (int step = 0; step < kMostSteps; ++step) {
      const S now = q + root * f;
      S radius = c.yield + c.linear * now, slope = c.linear;
      if (c.saturates) {
        const S left = c.voce * exp_of(-c.rate * now);
        radius = radius + c.voce - left;
        slope = slope + c.rate * left;
      }
      const S outside = size - f - radius;
      const auto open = outside > tolerance;  // lanes that are done do not move with the others
      if (!any(open)) break;
      f = select(open, f + outside / (S(1) + root * slope), f);
    }
    return f;
  }

  template <class S, int D>
  FIRN_INLINE static S energy(const Constants<S>& c, const MaterialState<S, D, kScalars>& state) {
    return energy_with_strain_across(c.lame, state.F, state.scalar[1]);
  }

  template <class S, int D>
  FIRN_INLINE static StressUpdate<S, D> update(const Constants<S>& c,
                                               MaterialState<S, D, kScalars>& state) {
    using T = ScalarOf<S>;
    const StrainDeviator<S, D> e(state.F, state.scalar[1]);
    const S f = flow(c, e.size, state.scalar[0]), share = f / e.size;
    const auto yields = f > S(0);
    if (any(yields)) {
      e.flow(share, state.F, state.scalar[1]);
      state.scalar[0] = state.scalar[0] + S(T(kRoot)) * f;
    }
    const Vec<S, D> tau = e.stress(c.lame, share);
    return {assemble(e.b, tau), Hencky::wave_modulus(c.lame.mu, c.lame.lambda, tau),
            select(yields, S(1), S(0))};
  }

  // 1 on the yield surface, 0 inside.
  template <int D>
  static double yield_case(const Constants<double>& c,
                           const MaterialState<double, D, kScalars>& state) {
    constexpr double kLess = 1 - 1e-3;  // of the radius: what rounding of F may take away
    MaterialState<double, D, kScalars> copy = state;
    Constants<double> smaller = c;
    smaller.yield *= kLess;
    smaller.linear *= kLess;
    smaller.voce *= kLess;
    return update<double, D>(smaller, copy).plastic;
  }
};

}  // namespace firn
