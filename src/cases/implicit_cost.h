// What an iteration of a linear solve costs beside an explicit step of the same particles, and how
// many of them a drop takes.
#pragma once

#include "cases/bench.h"
#include "cases/timed_run.h"

namespace firn {

struct KrylovCost {
  std::int64_t particles = 0;
  double explicit_step = 0;  // s
  double iteration = 0;      // s, all else that implicit steps do shared out among them
  std::int64_t iterations = 0, newton_steps = 0, steps = 0;
};

// A stiff elastic block meets the floor, in steps that sound crosses by dozens of cells: nearly all
// that they do is iterations.
Result<KrylovCost> measure_krylov(const BenchOptions& options, PreconditionerKind preconditioner);
// A ball of some stiffness, Pa, falls on a floor, in steps as long as can be.
Result<TimedRun> measure_drop(const BenchOptions& options, PreconditionerKind preconditioner,
                              double stiffness);

}  // namespace firn
