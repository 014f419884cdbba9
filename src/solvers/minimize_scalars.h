// Small decisions of the minimizer. Host and device.
#pragma once

#include <cmath>

#include "base/macros.h"

namespace firn {

// OPT 2.2: a rough solution of the linear system while the gradient is large. Its scale sigma has
// units; the first gradient takes its place.
FIRN_HD inline double linear_tolerance(double gradient, double tau, double first_gradient,
                                       double loosest) {
  const double ratio = (gradient > tau ? gradient : tau) / first_gradient;
  const double tolerance = std::sqrt(ratio);
  return tolerance < loosest ? tolerance : loosest;
}

enum class Downhill { yes, reversed, no };

// Whether a direction d points down enough, from products with itself and the gradient g.
FIRN_HD inline Downhill points_down(double dg, double dd, double gg, double kappa) {
  const double enough = kappa * std::sqrt(dd) * std::sqrt(gg);
  if (dg < -enough) return Downhill::yes;
  return dg > enough ? Downhill::reversed : Downhill::no;
}

// Factor that shortens a step to the longest one allowed.
FIRN_HD inline double clamp_factor(double length, double longest) {
  return length > longest ? longest / length : 1;
}

}  // namespace firn
