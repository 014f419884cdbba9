// The numbers of conjugate gradients (conjugate_gradient.h), started from zero, apart from the
// vectors: for loops that never leave a device, where an iteration is
//   p = z + beta p,  A p,  choose_step(p.Ap, p.p, Ap.Ap),
//   x += alpha p,  r -= alpha A p,  z = B r,  end_iteration(r.r, r.z)
// until `done`.
#pragma once

#include <cstdint>

#include "solvers/conjugate_gradient.h"

namespace firn {

struct CgScalars {
  // As CgSettings has them.
  double tolerance, flat;
  std::int32_t most_iterations;
  AtIndefinite at_indefinite;

  double rr, scale, rz, beta, alpha, relative_residual;
  std::int32_t iterations;
  std::int32_t ending;  // this iteration is the last: nothing follows the step along p
  std::int32_t done;
  KrylovStop stop;

  // After the first residual, which is b.
  FIRN_HD void begin(double bb, double bz) {
    scale = residual_scale(bb, bb);
    begin_iteration(bb, bz);
  }
  FIRN_HD void end_iteration(double new_rr, double new_rz) {
    if (ending) {
      done = 1;
      return;
    }
    ++iterations;
    begin_iteration(new_rr, new_rz);
  }
  // From the products of p and A p.
  FIRN_HD void choose_step(double p_ap, double pp, double ap_ap) {
    if (!std::isfinite(p_ap)) return end(KrylovStop::breakdown);
    const Bend bend =
        at_indefinite == AtIndefinite::carry_on ? Bend::up : bend_of(p_ap, pp, ap_ap, flat);
    alpha = rz / p_ap;
    if (bend == Bend::up) {
      if (!usable(alpha)) end(KrylovStop::breakdown);
      return;
    }
    ending = 1;
    stop = KrylovStop::indefinite;
    const double along = std::abs(alpha);
    if (at_indefinite == AtIndefinite::follow && bend == Bend::down && usable(along))
      alpha = along;
    else
      alpha = iterations == 0 ? 1 : 0;  // x is zero before the first
  }

 private:
  FIRN_HD void end(KrylovStop why) {
    stop = why;
    done = 1;
  }
  // Before an iteration, from the residual and its product with z.
  FIRN_HD void begin_iteration(double new_rr, double new_rz) {
    rr = new_rr;
    relative_residual = firn::relative_residual(rr, scale);
    if (relative_residual <= tolerance) return end(KrylovStop::converged);
    if (!std::isfinite(relative_residual)) return end(KrylovStop::breakdown);
    if (iterations >= most_iterations) return end(KrylovStop::iteration_limit);
    beta = iterations == 0 ? 0 : new_rz / rz;
    rz = new_rz;
    if (!std::isfinite(beta) || !usable(rz)) end(KrylovStop::breakdown);
  }
};

}  // namespace firn
