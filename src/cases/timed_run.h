// A scene run to its end, or for a part of it, and what that took.
#pragma once

#include "cases/bench.h"

namespace firn {

struct TimedRun {
  double part = 1;     // of the scene's time that was run
  double seconds = 0;  // of the whole, by the part
  double bytes = 0;    // of memory, the most there was
  double steps = 0;    // these of the part
  double newton_iterations = 0, krylov_iterations = 0;
  double residual = 0;  // m/s, the largest
};

Result<TimedRun> time_run(const SceneSettings& scene, const BenchOptions& options);

// With explicit steps; where there would be many, over the first part of the time.
Result<TimedRun> time_explicit_run(SceneSettings scene, const BenchOptions& options);

}  // namespace firn
