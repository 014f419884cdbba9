#include "cases/bench_figures.h"

#include <cstdio>

#include "cases/bench_fem.h"
#include "cases/bench_implicit.h"
#include "cases/bench_sph.h"
#include "cases/case_tools.h"

namespace firn {

std::string figure_text(const BenchFigure& figure) {
  std::string asked;
  if (figure.at_least) asked = "at least " + short_number(*figure.at_least);
  if (figure.at_most)
    asked += (asked.empty() ? "at most " : ", at most ") + short_number(*figure.at_most);
  char line[120];
  std::snprintf(line, sizeof line, "%-56s %8.3g  %-23s", figure.what.c_str(), figure.measured,
                asked.c_str());
  return std::string(line) + " " + figure.note + "\n";
}

const std::vector<FigureBench>& figure_benches() {
  static const std::vector<FigureBench> all{
      {"implicit", bench_implicit}, {"sph", bench_sph}, {"fem", bench_fem}};
  return all;
}

const FigureBench* find_figure_bench(const std::string& name) {
  for (const FigureBench& bench : figure_benches())
    if (name == bench.name) return &bench;
  return nullptr;
}

}  // namespace firn
