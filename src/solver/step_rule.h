// How the next dt follows from what the last step found; host and device.
#pragma once

#include <cmath>

#include "base/macros.h"

namespace firn {

struct StepRule {
  double fixed_dt = 0;      // s; 0: by the speeds
  double max_dt = 0;        // s, of the scene
  double reach = 0;         // m that the fastest signal may travel in a step
  double viscous = 0;       // 1/s, share of a step's room that explicit viscosity takes, a second
  double acceleration = 0;  // m/s^2 that speeds up what a step carries along; implicit steps
  // Steps are as long as the scene says: neither moving obstacles nor the effort of solving shorten
  // them, and particles may go as far as they like. What the solver refuses is halved all the same.
  bool keeps_length = false;

  // (dt signal / reach)^2 + viscous dt = 1: elasticity and viscosity share what a step bears
  // (mpm/step_bound.h). Of implicit steps (signal + acceleration dt) dt = reach.
  FIRN_HD double stable_dt(double max_signal) const {
    if (fixed_dt > 0) return fixed_dt;
    const double waves = (max_signal > 1e-30 ? max_signal : 1e-30) / reach;
    const double dt = acceleration > 0
                          ? 2 / (waves + std::sqrt(waves * waves + 4 * acceleration / reach))
                          : 2 / (viscous + std::sqrt(viscous * viscous + 4 * waves * waves));
    return dt < max_dt ? dt : max_dt;
  }
  // The last steps of a frame share what remains, so that no step is tiny.
  FIRN_HD double next_dt(double max_signal, double remaining) const {
    const double dt = stable_dt(max_signal);
    const double steps = std::ceil(remaining / dt - 1e-9);
    if (steps <= 1) return remaining;
    return steps <= 3 ? remaining / steps : dt;
  }
};

}  // namespace firn
