// What implicit steps cost beside explicit ones, in figures of one run: products and memory, a ball
// that falls, what `auto` takes, iterations of the linear solves.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cases/bench.h"

namespace firn {

inline constexpr const char* kImplicitBench = "implicit";

struct BenchFigure {
  std::string what;
  double measured = 0;
  std::optional<double> at_least, at_most;  // that are asked for
  std::string note;                         // how it was found
};

// One line.
std::string figure_text(const BenchFigure& figure);

using OnFigure = std::function<void(const BenchFigure&)>;

// `found` is told of each figure as it comes. Without a number of particles the ball is 40 cells
// across; other scenes have half as many cells a side.
Errors bench_implicit(const BenchOptions& options, const OnFigure& found);

}  // namespace firn
