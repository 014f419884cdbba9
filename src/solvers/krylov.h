// What all Krylov solvers share: settings, and when an iteration is the last.
#pragma once

#include <cmath>

#include "solvers/krylov_scalars.h"
#include "solvers/space.h"

namespace firn {

struct KrylovSettings {
  double tolerance = 1e-8;  // of |b - A x| / |b|
  int most_iterations = 1000;
  bool from_zero = false;  // x is zero: saves a product
  Cancelled cancelled;
};

// Fills in the report and says whether to stop before another iteration.
inline bool ends_here(KrylovReport& report, const KrylovSettings& settings, double rr,
                      double scale) {
  report.relative_residual = relative_residual(rr, scale);
  if (report.relative_residual <= settings.tolerance)
    report.stop = KrylovStop::converged;
  else if (!std::isfinite(report.relative_residual))
    report.stop = KrylovStop::breakdown;
  else if (report.iterations >= settings.most_iterations)
    report.stop = KrylovStop::iteration_limit;
  else if (asks_to_stop(settings.cancelled))
    report.stop = KrylovStop::cancelled;
  else
    return false;
  return true;
}

}  // namespace firn
