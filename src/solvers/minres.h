// Preconditioned MINRES, for self-adjoint operators that may be indefinite, or singular where the
// system has a solution. The preconditioner must be positive definite.
#pragma once

#include <utility>

#include "solvers/krylov.h"

namespace firn {

template <VectorSpace Space, class Operator, class Preconditioner>
KrylovReport minres(const Space& space, Operator&& apply, Preconditioner&& precondition,
                    const typename Space::Vector& b, typename Space::Vector& x,
                    const KrylovSettings& settings) {
  auto r = space.make(), v = space.make(), v_before = space.make(), v_next = space.make(),
       z = space.make(), z_next = space.make(), w = space.make(), w_before = space.make();
  residual_of(space, apply, b, x, settings.from_zero, r);
  double rr = space.dot(r, r);
  const double scale = residual_scale(space.dot(b, b), rr);
  space.copy(r, v);
  precondition(v, z);
  MinresScalars scalars;
  scalars.begin(std::sqrt(space.dot(v, z)));
  KrylovReport report;
  while (!ends_here(report, settings, rr, scale)) {
    const double gamma = scalars.gamma;
    space.scale(1 / gamma, z);
    apply(z, v_next);
    const double delta = space.dot(v_next, z);
    space.combine(-delta / gamma, v, 1, v_next);
    space.combine(-gamma / scalars.gamma_before, v_before, 1, v_next);
    precondition(v_next, z_next);
    const double next_squared = space.dot(v_next, z_next);
    scalars.add_column(delta, std::sqrt(next_squared > 0 ? next_squared : 0));
    if (!std::isfinite(delta) || !std::isfinite(next_squared) || !usable(scalars.length)) {
      report.stop = KrylovStop::breakdown;
      return report;
    }
    // The direction that this column adds: (z - far_above w_before - above w) / length.
    space.combine(1 / scalars.length, z, -scalars.far_above / scalars.length, w_before);
    space.combine(-scalars.above / scalars.length, w, 1, w_before);
    std::swap(w, w_before);
    space.combine(scalars.step(), w, 1, x);
    space.combine(-scalars.residual_shift(), v_next, scalars.s * scalars.s, r);
    scalars.finish_column();
    std::swap(v_before, v);
    std::swap(v, v_next);
    std::swap(z, z_next);
    rr = space.dot(r, r);
    ++report.iterations;
  }
  return report;
}

}  // namespace firn
