// Planar collapse of a step of sand against a wall (Lube et al. 2005), in 2D plane strain.
#include <cmath>

#include "cases/granular_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "planar_collapse";

// Heights: Lajeunesse et al. 2005.
DepositReference reference(double aspect) {
  const double height = aspect < 0.7 ? aspect : std::cbrt(aspect);
  return {aspect < 1.8 ? 1.2 * aspect : 1.9 * std::pow(aspect, 2.0 / 3), height, height, 0.2};
}

SandColumn step_of(const ValidateOptions& options, double aspect, double repose) {
  SandColumn column = grains(repose);
  column.aspect = aspect;
  column.cells = cells_in_radius(2, aspect, options.fine);
  return column;
}

}  // namespace

std::vector<Check> validate_planar_collapse(const ValidateOptions& options) {
  std::vector<Check> checks;
  const auto add = [&](std::vector<Check> more) {
    checks.insert(checks.end(), more.begin(), more.end());
  };
  for (const double aspect : {0.5, 1.0, 1.5, 3.0, 6.0})
    add(judge_deposit(kCase, options, step_of(options, aspect, kGrainsRepose), reference(aspect)));
  add(judge_refinement(kCase, step_of(options, 1, kGrainsRepose)));
  for (Check control : judge_deposit(kCase, options, step_of(options, 1.5, 18), reference(1.5))) {
    control.quantity += ", grains that rest at 18 degrees";
    checks.push_back(control.tolerance > 0 ? must_fail(control) : control);
  }
  return checks;
}

}  // namespace firn
