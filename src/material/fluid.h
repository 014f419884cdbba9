// Weakly compressible fluid (MULTI 80-83): only the volume ratio J is kept, and evolved by the
// transfer as J <- (1 + dt (div v + source)) J; the source keeps it in step with the room that the
// particles really take (mpm/fluid_volume.h).
#pragma once

#include "material/model_concept.h"

namespace firn {

enum class StateEquation { linear, tait };
inline constexpr const char* kStateEquationNames[] = {"linear", "tait"};

struct Fluid {
  static constexpr const char* kName = "fluid";
  static constexpr const char* kDescription = "weakly compressible liquid, viscous if asked";
  static constexpr const char* kBenchName = "water";
  static constexpr Vec<double, 3> kColor = {{0.25, 0.52, 0.85}};
  static constexpr bool kHasF = false;
  static constexpr bool kIsotropicStress = true;
  static constexpr bool kYields = false;
  static constexpr int kScalars = 1;
  static constexpr std::array<ScalarField, 1> kScalarFields = {
      {{"J", 1, "volume over initial volume", 0.01, 100}}};

  // U is double, or lanes: one value for each of several particles.
  template <class U>
  struct ParametersOf {
    using Number = ScalarOf<U>;
    U bulk_modulus = U(Number(5e5));
    StateEquation equation = StateEquation::tait;
    U gamma = U(7);
    U viscosity = U(0);
    U det_min = U(Number(0.1));
    U det_max = U(Number(1.1));
    bool volume_correction = true;

    template <class V>
    void describe(V& v) {
      v.number("bulk_modulus", bulk_modulus,
               NumberInfo{"pressure per relative loss of volume, at small changes", "Pa", 0, 1e13,
                          true});
      v.choice("equation", equation, kStateEquationNames,
               "linear: p = K (1 - J); tait: p = K/gamma (J^-gamma - 1)");
      v.number("gamma", gamma, NumberInfo{"exponent of the tait equation", "", 1, 20, true});
      v.number("viscosity", viscosity, NumberInfo{"dynamic viscosity", "Pa s", 0, 1e9});
      v.number("det_min", det_min, NumberInfo{"J is kept above this", "", 0.01, 1});
      v.number("det_max", det_max,
               NumberInfo{"J is kept below this: how far the fluid thins out before it tears", "",
                          1, 100});
      v.flag("volume_correction", volume_correction,
             "keep the volume: undo the drift between J and the room that the particles take");
    }
  };
  using Parameters = ParametersOf<double>;
  static std::string check(const Parameters&) { return {}; }
  static std::vector<PresetOf<Parameters>> presets();
  template <class U>
  FIRN_HD static U viscosity(const ParametersOf<U>& p) {
    return p.viscosity;
  }

  // J under a pressure, Pa.
  static double ratio_at(const Parameters& p, double stiffness, double pressure) {
    const double share = pressure / (p.bulk_modulus * stiffness);
    if (p.equation == StateEquation::linear) return max_of(1 - share, p.det_min);
    return pow_of(1 + p.gamma * share, -1 / p.gamma);
  }

  template <class S>
  struct Constants {
    S bulk_modulus, one_minus_gamma, inverse_gamma, det_min, det_max;
    bool tait, gamma_7;  // the same for all lanes: branches, not selects

    FIRN_INLINE Constants stiffened(S stiffness) const {
      Constants r = *this;
      r.bulk_modulus = bulk_modulus * stiffness;
      return r;
    }
  };

  template <class S, int D, class U>
  FIRN_INLINE static Constants<S> constants(const ParametersOf<U>& p, S stiffness) {
    return {as_lanes<S>(p.bulk_modulus) * stiffness,
            as_lanes<S>(U(1) - p.gamma),
            as_lanes<S>(U(1) / p.gamma),
            as_lanes<S>(p.det_min),
            as_lanes<S>(p.det_max),
            p.equation == StateEquation::tait,
            !any((p.gamma < U(7)) | (p.gamma > U(7)))};
  }

  // J^(1 - gamma).
  template <class S>
  FIRN_INLINE static S tait_power(const Constants<S>& c, S J) {
    if (!c.gamma_7) return pow_of(J, c.one_minus_gamma);
    const S inverse2 = S(1) / (J * J);
    return inverse2 * inverse2 * inverse2;
  }

  // dPsi/dJ = -p, Psi(1) = 0.
  template <class S, int D>
  FIRN_INLINE static S energy(const Constants<S>& c, const MaterialState<S, D, kScalars>& state) {
    const S J = state.scalar[0], change = J - S(1);
    if (!c.tait) return S(ScalarOf<S>(0.5)) * c.bulk_modulus * change * change;
    const S power = tait_power(c, J);
    return c.bulk_modulus * c.inverse_gamma * (change - (power - S(1)) / c.one_minus_gamma);
  }

  // tau = -p J. Its derivative by ln J is K (2 J^2 - J) or K ((1 - 1/gamma) J^(1-gamma) + J/gamma),
  // the stiffness of a sound wave K J^2 or K J^(1-gamma); the larger of the two is tau itself more
  // than the other where tau > 0. A step bears the mean of that and of K, which damps sound.
  template <class S, int D>
  FIRN_INLINE static StressUpdate<S, D> update(const Constants<S>& c,
                                               MaterialState<S, D, kScalars>& state) {
    const S J = clamp(state.scalar[0], c.det_min, c.det_max);
    state.scalar[0] = J;
    StressUpdate<S, D> r;
    S stiffness;
    if (c.tait) {
      const S power = tait_power(c, J);
      r.tau.e[0] = c.bulk_modulus * c.inverse_gamma * (J - power);
      stiffness = c.bulk_modulus * power;
    } else {
      r.tau.e[0] = c.bulk_modulus * (J - S(1)) * J;
      stiffness = c.bulk_modulus * J * J;
    }
    stiffness += max_of(r.tau.e[0], S(0));
    r.wave_modulus = max_of(stiffness, S(ScalarOf<S>(0.5)) * (stiffness + c.bulk_modulus));
    r.plastic = S(0);
    return r;
  }

  // To be added to tau: the pressure is taken half a step ahead, at the J that dt div v leads to.
  // That damps sound, which would otherwise ring for hundreds of periods, and leaves flow without
  // divergence alone. A whole step would leave no margin.
  // None where J is held at det_max and the fluid tears: that would be tension.
  template <class S>
  FIRN_INLINE static S damping(const Constants<S>& c, S J, S dt_divergence) {
    const S held = select(J < c.det_max, dt_divergence, min_of(dt_divergence, S(0)));
    return S(ScalarOf<S>(0.5)) * c.bulk_modulus * held;
  }
};

}  // namespace firn
