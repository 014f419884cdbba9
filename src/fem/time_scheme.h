// How a step is discretised: x = predicted + reach^2 a(x), v = (x - base) / time, for backward
// Euler, BDF2 and the trapezoidal rule. Whatever the scheme, a step minimises
//   sum m |x - predicted|^2 / 2 + reach^2 Phi(x).
#pragma once

#include <cmath>
#include <vector>

#include "base/schemes.h"

namespace firn {

struct StepCoefficients {
  TimeScheme scheme = TimeScheme::backward_euler;
  double dt = 0, ratio = 0;  // s; this step's length over the last one's
  double reach2 = 0;         // s^2
  double time = 0;           // s

  // `last_dt`: 0 before the first step, which is one of backward Euler.
  static StepCoefficients of(TimeScheme scheme, double dt, double last_dt) {
    StepCoefficients c{scheme, dt, 0, dt * dt, dt};
    if (scheme == TimeScheme::bdf2 && last_dt > 0) {
      c.ratio = dt / last_dt;
      c.time = dt * (1 + c.ratio) / (1 + 2 * c.ratio);
      c.reach2 = c.time * c.time;
    } else if (scheme == TimeScheme::trapezoid && last_dt > 0) {
      c.time = dt / 2;
      c.reach2 = c.time * c.time;
    } else {
      c.scheme = TimeScheme::backward_euler;
    }
    return c;
  }
  // BDF2: what stands for x_n and v_n.
  double blended(double now, double before) const {
    const double r = ratio;
    return ((1 + r) * (1 + r) * now - r * r * before) / (1 + 2 * r);
  }
};

// What a node keeps of the past.
struct NodeHistory {
  double x, v, x_before, v_before, acceleration;
};

inline double base_of(const StepCoefficients& c, const NodeHistory& n) {
  switch (c.scheme) {
    case TimeScheme::bdf2:
      return c.blended(n.x, n.x_before);
    case TimeScheme::trapezoid:
      return n.x + c.time * n.v;
    case TimeScheme::backward_euler:
      break;
  }
  return n.x;
}
// Where inertia alone leads.
inline double predicted_by(const StepCoefficients& c, const NodeHistory& n) {
  switch (c.scheme) {
    case TimeScheme::bdf2:
      return base_of(c, n) + c.time * c.blended(n.v, n.v_before);
    case TimeScheme::trapezoid:
      return base_of(c, n) + c.time * n.v + c.reach2 * n.acceleration;
    case TimeScheme::backward_euler:
      break;
  }
  return n.x + c.time * n.v;
}

}  // namespace firn
