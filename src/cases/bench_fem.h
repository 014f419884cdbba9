// What meshed solids cost, in figures of one run: products beside the memory's bandwidth, bytes a
// vertex, descent beside Newton's method alone, threads, cutting of cells.
#pragma once

#include "cases/bench_figures.h"

namespace firn {

// Without a number of particles (vertices) a cube of 28 cells a side is stretched.
Errors bench_fem(const BenchOptions& options, const OnFigure& found);

}  // namespace firn
