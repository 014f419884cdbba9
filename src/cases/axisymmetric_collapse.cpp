// Axisymmetric collapse of a column of sand (Lube et al. 2004): a quarter of it, in 3D.
#include <algorithm>
#include <cmath>

#include "cases/granular_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "axisymmetric_collapse";

// Heights: Lajeunesse et al. 2005 (a, then 0.74) and Lube et al. 2004 (a, then 0.88 a^(1/6)).
DepositReference reference(double aspect) {
  const double lube = aspect < 1     ? aspect
                      : aspect < 1.7 ? 1 - (1 - 0.88 * std::pow(1.7, 1.0 / 6)) * (aspect - 1) / 0.7
                                     : 0.88 * std::pow(aspect, 1.0 / 6);
  return {aspect < 1.7 ? 1.24 * aspect : 1.6 * std::sqrt(aspect), std::min(aspect, 0.74), lube,
          0.15};
}

}  // namespace

std::vector<Check> validate_axisymmetric_collapse(const ValidateOptions& options) {
  std::vector<Check> checks;
  const auto judge = [&](double aspect, double repose) {
    SandColumn column = grains(repose);
    column.dimension = 3;
    column.aspect = aspect;
    column.cells = cells_in_radius(3, aspect, options.fine);
    return judge_deposit(kCase, options, column, reference(aspect));
  };
  const auto add = [&](std::vector<Check> more) {
    checks.insert(checks.end(), more.begin(), more.end());
  };
  for (const double aspect : {0.5, 1.0, 1.5, 3.0, 6.0}) add(judge(aspect, kGrainsRepose));
  for (Check control : judge(1, 15)) {
    control.quantity += ", grains that rest at 15 degrees";
    checks.push_back(control.tolerance > 0 ? must_fail(control) : control);
  }
  SandColumn column = grains(kGrainsRepose);
  column.dimension = 3;
  column.cells = options.fine ? 20 : 16;
  add(judge_refinement(kCase, column));
  return checks;
}

}  // namespace firn
