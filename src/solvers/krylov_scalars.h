// The numbers of Krylov methods apart from their vectors: steps, rotations, when to stop. Host and
// device, so that a loop that never leaves a device takes the same decisions.
#pragma once

#include <cmath>

#include "base/macros.h"

namespace firn {

enum class KrylovStop {
  converged,
  iteration_limit,
  indefinite,  // a direction of no or negative curvature, where that was to be reported
  breakdown,   // a division by zero, or a number that is not finite
  cancelled
};

struct KrylovReport {
  int iterations = 0;
  double relative_residual = 0;  // |b - A x| / |b| in the space's product
  KrylovStop stop = KrylovStop::iteration_limit;
};

// What a step or a divisor must be.
FIRN_HD inline bool usable(double number) {
  return std::isfinite(number) && number != 0;
}

// Squared norm that residuals are measured against: the right-hand side's, or the first residual's
// where that is zero.
FIRN_HD inline double residual_scale(double bb, double first_rr) {
  return bb > 0 ? bb : first_rr;
}

FIRN_HD inline double relative_residual(double rr, double scale) {
  return rr == 0 ? 0 : std::sqrt(rr / scale);
}

// Curvature along a direction, p.Ap; flat where |p.Ap| <= small |p| |Ap|, which rounding may have
// made, or where it is not a number.
enum class Bend { up, flat, down };

FIRN_HD inline Bend bend_of(double p_ap, double pp, double ap_ap, double small) {
  const double least = small * std::sqrt(pp) * std::sqrt(ap_ap);
  if (p_ap > least) return Bend::up;
  return p_ap < -least ? Bend::down : Bend::flat;
}

// (c s; -s c), which takes (a, b) to (length, 0).
struct GivensRotation {
  double c = 1, s = 0, length = 0;

  FIRN_HD static GivensRotation of(double a, double b) {
    const double length = std::hypot(a, b);
    if (!(length > 0)) return {1, 0, length};
    return {a / length, b / length, length};
  }
  FIRN_HD void turn(double& a, double& b) const {
    const double first = c * a + s * b;
    b = c * b - s * a;
    a = first;
  }
};

// MINRES: the tridiagonal matrix that Lanczos makes, a column at a time, and its rotations.
struct MinresScalars {
  double gamma = 0, gamma_before = 1;  // norms of the newest Lanczos vectors
  double eta = 0;                      // norm of the residual, with its sign
  double length = 0;                   // of the newest column's last two entries
  double above = 0, far_above = 0;     // what stands over them
  double c = 1, s = 0, c_before = 1, s_before = 0;

  FIRN_HD void begin(double norm) { gamma = eta = norm; }
  // delta = z.Az of the newest unit vector, next = norm of the one after it.
  FIRN_HD void add_column(double delta, double next) {
    const GivensRotation turn = GivensRotation::of(c * delta - c_before * s * gamma, next);
    above = s * delta + c_before * c * gamma;
    far_above = s_before * gamma;
    length = turn.length;
    c_before = c;
    s_before = s;
    c = turn.c;
    s = turn.s;
    gamma_before = gamma;
    gamma = next;
  }
  FIRN_HD double step() const { return c * eta; }
  // The residual becomes s^2 r - shift v, v the newest Lanczos vector before it is scaled.
  FIRN_HD double residual_shift() const { return c * eta / length; }
  FIRN_HD void finish_column() { eta *= -s; }
};

}  // namespace firn
