// Axisymmetric collapse of a column of sand (Lube et al. 2004): a quarter of it, in 3D.
#include <cmath>

#include "cases/granular_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "axisymmetric_collapse";
// Sand of the experiments' angle of repose on a floor as rough as the sand.
constexpr double kAngle = 30;
const double kFloor = std::tan(kAngle * kDegree);

double reference(double aspect) {
  return aspect < 1.7 ? 1.24 * aspect : 1.6 * std::sqrt(aspect);
}

// Tall columns spread far: they need fewer cells in their radius for the same cells in the deposit.
int cells_in_radius(double aspect) {
  return aspect < 1 ? 24 : aspect < 1.2 ? 20 : aspect < 2 ? 16 : aspect < 4 ? 12 : 10;
}

}  // namespace

std::vector<Check> validate_axisymmetric_collapse(const ValidateOptions& options) {
  std::vector<Check> checks;
  const auto judge = [&](double aspect, double angle, double floor_friction) {
    SandColumn column;
    column.dimension = 3;
    column.aspect = aspect;
    column.cells = cells_in_radius(aspect) * (options.fine ? 3 : 2) / 2;
    column.friction_angle = angle;
    column.floor_friction = floor_friction;
    return judge_runout(kCase, options, column, reference(aspect));
  };
  for (const double aspect : {0.5, 1.0, 1.5, 3.0, 6.0})
    checks.push_back(judge(aspect, kAngle, kFloor));
  Check control = judge(1, 15, std::tan(15 * kDegree));
  control.quantity += ", friction of 15 degrees";
  checks.push_back(must_fail(control));
  return checks;
}

}  // namespace firn
