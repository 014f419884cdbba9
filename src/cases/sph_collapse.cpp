// Steps and columns of sand that collapse, by granular SPH: against experiments (Lube et al. 2004,
// 2005) and against MPM of the same sand.
#include <cmath>

#include "cases/sph_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "sph_collapse";

double reference(int dimension, double aspect) {
  if (dimension == 2) return aspect < 1.8 ? 1.2 * aspect : 1.9 * std::pow(aspect, 2.0 / 3);
  return aspect < 1.7 ? 1.24 * aspect : 1.6 * std::sqrt(aspect);
}

SandColumn column_of(const ValidateOptions& options, int dimension, double aspect, double repose) {
  SandColumn column = grains(repose);
  column.solver = SolverKind::sph;
  column.dimension = dimension;
  column.aspect = aspect;
  column.cells = cells_in_radius(dimension, aspect, options.fine);
  return column;
}

std::string name_of(const SandColumn& column) {
  return std::to_string(column.dimension) + "D, aspect " + short_number(column.aspect);
}

Check judge_runout(const SandColumn& column, double runout, const std::string& how = "") {
  return relative_check(kCase, "run-out / initial width, " + name_of(column) + how, runout,
                        reference(column.dimension, column.aspect), 0.2);
}

std::vector<Check> judge(const ValidateOptions& options, SandColumn column) {
  const Result<Deposit> sph = collapse(column);
  if (!sph) return {failed_run(kCase, sph.errors())};
  column.solver = SolverKind::mpm;
  const Result<Deposit> mpm = collapse(column);
  if (!mpm) return {failed_run(kCase, mpm.errors())};
  options.progress(name_of(column) + ": run-out " + short_number(sph->runout) + " (MPM " +
                   short_number(mpm->runout) + "), summit " + short_number(sph->height) + " (" +
                   short_number(mpm->height) + ")");
  return {judge_runout(column, sph->runout),
          relative_check(kCase, "run-out against that of MPM, " + name_of(column), sph->runout,
                         mpm->runout, 0.15),
          relative_check(kCase, "height against that of MPM, " + name_of(column), sph->height,
                         mpm->height, 0.15)};
}

}  // namespace

std::vector<Check> validate_sph_collapse(const ValidateOptions& options) {
  std::vector<Check> checks;
  for (const int dimension : {2, 3})
    for (const double aspect : {0.5, 1.0, 1.5, 3.0, 6.0})
      for (Check& check : judge(options, column_of(options, dimension, aspect, kGrainsRepose)))
        checks.push_back(std::move(check));
  const SandColumn smooth = column_of(options, 2, 1.5, 18);
  const Result<Deposit> control = collapse(smooth);
  checks.push_back(
      control ? must_fail(judge_runout(smooth, control->runout, ", grains that rest at 18 degrees"))
              : failed_run(kCase, control.errors()));
  return checks;
}

}  // namespace firn
