// Mud, ketchup, cream, slurries: solid below a yield stress, a fluid beyond it that thins or
// thickens with the shear rate (Herschel and Bulkley), and may soften as it is sheared.
//
// In shear at a rate g the stress is
//   tau = Y(q) + consistency g^exponent,   Y(q) = softened + (yield - softened) exp(-rate q),
// with the shear q that flowed so far. Elasticity is Hencky's. With the deviator of the logarithmic
// strain e, |dev tau| = 2 mu |dev e| is sqrt(2) tau, and a flow f of |dev e| in a step of dt is
// g = sqrt(2) f / dt, so that the step ends where
//   |dev e| - f = (Y + consistency (sqrt(2) f / dt)^exponent) / (sqrt(2) mu).
// The flow is along the deviator, the volume stays. In 2D the strain across the plane is a scalar
// of the particle, as that of von Mises' model.
#pragma once

#include "material/strain_deviator.h"

namespace firn {

struct HerschelBulkley {
  static constexpr const char* kName = "herschel_bulkley";
  static constexpr const char* kDescription =
      "mud, ketchup, slurry: flows beyond a yield stress, thins or thickens";
  static constexpr bool kHasF = true;
  static constexpr bool kIsotropicStress = false;
  static constexpr bool kYields = true;  // it flows in time: in relax(), not in update()
  static constexpr int kScalars = 2;
  static constexpr std::array<ScalarField, 2> kScalarFields = {
      {{"flowed", 0, "shear strain that flowed, the argument of the softening", 0, 1e12},
       {"strain_across", 0, "2D: elastic logarithmic strain across the plane", -10, 10}}};

  template <class U>
  struct ParametersOf : ElasticParametersOf<U> {
    using typename ElasticParametersOf<U>::Number;
    U yield_stress = U(Number(50));
    U consistency = U(10);
    U exponent = U(Number(0.5));
    U softened_stress = U(Number(50));
    U softening_rate = U(1);

    FIRN_HD ParametersOf() {
      this->youngs_modulus = U(Number(6e3));
      this->poisson_ratio = U(Number(0.45));
    }
    template <class V>
    void describe(V& v) {
      ElasticParametersOf<U>::describe(v, true);
      v.number("yield_stress", yield_stress,
               NumberInfo{"shear stress at which it starts to flow", "Pa", 0, 1e13});
      v.number("consistency", consistency,
               NumberInfo{"shear stress beyond that at a shear rate of 1/s", "Pa s^n", 0, 1e12});
      v.number(
          "exponent", exponent,
          NumberInfo{"n: how the stress grows with the shear rate; below 1 it thins, beyond it "
                     "thickens",
                     "", 0.05, 5});
      v.number("softened_stress", softened_stress,
               NumberInfo{"yield stress after much flow", "Pa", 0, 1e13});
      v.number(
          "softening_rate", softening_rate,
          NumberInfo{"the yield stress comes to that as exp(-rate times the shear)", "", 0, 1e4});
    }
  };
  using Parameters = ParametersOf<double>;
  static std::string check(const Parameters& p) { return check_elastic(p); }
  static std::vector<PresetOf<Parameters>> presets();
  static Parameters unyielding() {
    Parameters p;
    p.yield_stress = p.softened_stress = 1e13;
    return p;
  }

  static constexpr double kRoot2 = 1.4142135623730951;

  template <class S>
  struct Constants {
    LameConstants<S> lame;
    S yield, softened, rate;  // of |dev e|
    S consistency, exponent;  // Pa s^n

    // Stresses stay what they are in Pa.
    FIRN_INLINE Constants stiffened(S stiffness) const {
      Constants r = *this;
      const S soften = S(1) / stiffness;
      r.lame = lame.stiffened(stiffness);
      r.yield = yield * soften;
      r.softened = softened * soften;
      return r;
    }
    FIRN_INLINE S radius(S flowed) const {
      return softened + (yield - softened) * exp_of(-rate * flowed);
    }
  };
  template <class S, int D, class U>
  FIRN_INLINE static Constants<S> constants(const ParametersOf<U>& p, S stiffness) {
    const U strain = U(1) / (U(ScalarOf<U>(kRoot2)) * p.mu());
    const Constants<S> c = {lame_constants<S>(p),
                            as_lanes<S>(strain * p.yield_stress),
                            as_lanes<S>(strain * p.softened_stress),
                            as_lanes<S>(p.softening_rate),
                            as_lanes<S>(p.consistency),
                            as_lanes<S>(p.exponent)};
    return c.stiffened(stiffness);
  }

  // The root u of excess = linear u + power u^p for p >= 1. What is left falls and is concave in
  // u, so that Newton's method from beyond the root comes down to it and never passes it.
  template <class S>
  FIRN_INLINE static S concave_root(S excess, S linear, S power, S p) {
    using T = ScalarOf<S>;
    const S tiny(T(1e-30)), tolerance = excess * S(sizeof(T) == 4 ? T(1e-6) : T(1e-14));
    S u = min_of(excess / max_of(linear, tiny),
                 pow_of(max_of(excess, tiny) / max_of(power, tiny), S(1) / p));
    constexpr int kMostSteps = 60;
    for (int step = 0; step < kMostSteps; ++step) {
      const S less = power * pow_of(max_of(u, tiny), p - S(1));
      const S beyond = (linear + less) * u - excess;
      const auto open = beyond > tolerance;
      if (!any(open)) break;
      u = select(open, u - beyond / (linear + p * less), u);
    }
    return max_of(u, S(0));
  }

  // The part of |dev e| = size that flows in a step; exactly 0 inside.
  template <class S>
  FIRN_INLINE static S flow(const Constants<S>& c, S size, S flowed, S dt) {
    using T = ScalarOf<S>;
    const S excess = size - c.radius(flowed), n = c.exponent;
    if (!any(excess > S(0))) return S(0);
    const S rate = S(T(kRoot2)) / max_of(dt, S(T(1e-12)));
    const S strain = c.consistency / (S(T(kRoot2)) * c.lame.mu);
    const S resistance = min_of(strain * pow_of(rate, n), S(sizeof(T) == 4 ? T(1e30) : T(1e200)));
    // Where it thins, f^n is the unknown: f would have an infinite slope at 0.
    const auto thins = n < S(1);
    const S p = select(thins, S(1) / n, n);
    const S u = concave_root(max_of(excess, S(0)), select(thins, resistance, S(1)),
                             select(thins, S(1), resistance), p);
    const S f = select(thins, pow_of(max_of(u, S(T(1e-30))), p), u);
    return select(excess > S(0), min_of(f, excess), S(0));
  }

  template <class S, int D>
  FIRN_INLINE static void relax(const Constants<S>& c, S dt, MaterialState<S, D, kScalars>& state) {
    using T = ScalarOf<S>;
    const StrainDeviator<S, D> e(state.F, state.scalar[1]);
    const S f = flow(c, e.size, state.scalar[0], dt);
    if (!any(f > S(0))) return;
    e.flow(f / e.size, state.F, state.scalar[1]);
    state.scalar[0] = state.scalar[0] + S(T(kRoot2)) * f;
  }

  template <class S, int D>
  FIRN_INLINE static S energy(const Constants<S>& c, const MaterialState<S, D, kScalars>& state) {
    return energy_with_strain_across(c.lame, state.F, state.scalar[1]);
  }
  // The elastic stress, and whether it is enough to flow.
  template <class S, int D>
  FIRN_INLINE static StressUpdate<S, D> update(const Constants<S>& c,
                                               MaterialState<S, D, kScalars>& state) {
    using T = ScalarOf<S>;
    const StrainDeviator<S, D> e(state.F, state.scalar[1]);
    const Vec<S, D> stress = e.stress(c.lame, S(0));
    const auto flows = e.size > c.radius(state.scalar[0]) * S(T(1 - 1e-3));
    return {assemble(e.b, stress), Hencky::wave_modulus(c.lame.mu, c.lame.lambda, stress),
            select(flows, S(1), S(0))};
  }
};

}  // namespace firn
