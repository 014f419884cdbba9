// Updates of fine grains a second, without a solver: particles in a flow that is given.
#pragma once

#include "cases/bench.h"

namespace firn {

inline constexpr const char* kGrainBench = "grains";

// Its particles are the grains: options.particles of them, 7 million where none are given.
Result<BenchResult> bench_grains(const BenchOptions& options);

}  // namespace firn
