// Preconditioned conjugate residuals (SNOW, algorithm 1, with the product that it lacks): the
// residual shrinks in every iteration. For self-adjoint operators; definite ones never break down.
#pragma once

#include "solvers/krylov.h"

namespace firn {

template <VectorSpace Space, class Operator, class Preconditioner>
KrylovReport conjugate_residual(const Space& space, Operator&& apply, Preconditioner&& precondition,
                                const typename Space::Vector& b, typename Space::Vector& x,
                                const KrylovSettings& settings) {
  auto r = space.make(), z = space.make(), az = space.make(), p = space.make(), ap = space.make(),
       q = space.make();  // z = B r, q = B A p
  residual_of(space, apply, b, x, settings.from_zero, r);
  precondition(r, z);
  double rr = space.dot(r, r);
  const double scale = residual_scale(space.dot(b, b), rr);
  double z_az = 0;
  KrylovReport report;
  while (!ends_here(report, settings, rr, scale)) {
    apply(z, az);
    const double z_az_before = z_az;
    z_az = space.dot(z, az);
    const double beta = report.iterations == 0 ? 0 : z_az / z_az_before;
    space.combine(1, z, beta, p);
    space.combine(1, az, beta, ap);
    precondition(ap, q);
    const double alpha = z_az / space.dot(ap, q);
    if (!usable(alpha)) {
      report.stop = KrylovStop::breakdown;
      return report;
    }
    space.combine(alpha, p, 1, x);
    space.combine(-alpha, ap, 1, r);
    space.combine(-alpha, q, 1, z);
    rr = space.dot(r, r);
    ++report.iterations;
  }
  return report;
}

}  // namespace firn
