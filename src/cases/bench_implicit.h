// What implicit steps cost beside explicit ones, in figures of one run: products and memory, a ball
// that falls, what `auto` takes, iterations of the linear solves.
#pragma once

#include "cases/bench_figures.h"

namespace firn {

// Without a number of particles the ball is 40 cells
// across; other scenes have half as many cells a side.
Errors bench_implicit(const BenchOptions& options, const OnFigure& found);

}  // namespace firn
