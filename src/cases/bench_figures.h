// Benchmarks that find several figures in one run.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cases/bench.h"

namespace firn {

struct BenchFigure {
  std::string what;
  double measured = 0;
  std::optional<double> at_least, at_most;  // that are asked for
  std::string note;                         // how it was found
};

// One line.
std::string figure_text(const BenchFigure& figure);

// Told of each figure as it comes.
using OnFigure = std::function<void(const BenchFigure&)>;

struct FigureBench {
  const char* name;
  Errors (*run)(const BenchOptions& options, const OnFigure& found);
};
const std::vector<FigureBench>& figure_benches();
// Null where there is none of the name.
const FigureBench* find_figure_bench(const std::string& name);

}  // namespace firn
