// Granular SPH at the pace of a screen: frames of 16 ms in three steps, and in one as GRAIN has
// them.
#pragma once

#include "cases/bench_figures.h"

namespace firn {

// Without a number of particles several are taken, as many as the device is made for.
Errors bench_sph(const BenchOptions& options, const OnFigure& found);

}  // namespace firn
