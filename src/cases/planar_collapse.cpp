// Planar collapse of a step of sand against a wall (Lube et al. 2005), in 2D plane strain.
#include <cmath>

#include "cases/granular_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "planar_collapse";
// The experiments' grains rest at 29.5 degrees. Sand that flows at constant volume shears along a
// plane with tau / sigma = sin(phi), so that phi = asin(tan 29.5) makes tau / sigma = tan 29.5; the
// floor has the same.
const double kFloor = std::tan(29.5 * kDegree);
const double kAngle = std::asin(kFloor) / kDegree;

double reference(double aspect) {
  return aspect < 1.8 ? 1.2 * aspect : 1.9 * std::pow(aspect, 2.0 / 3);
}

}  // namespace

std::vector<Check> validate_planar_collapse(const ValidateOptions& options) {
  std::vector<Check> checks;
  const auto judge = [&](double aspect, double angle, double floor_friction) {
    SandColumn column;
    column.aspect = aspect;
    column.cells = (aspect < 1 ? 40 : 20) * (options.fine ? 2 : 1);
    column.friction_angle = angle;
    column.floor_friction = floor_friction;
    return judge_runout(kCase, options, column, reference(aspect));
  };
  for (const double aspect : {0.5, 1.0, 1.5, 3.0, 6.0})
    checks.push_back(judge(aspect, kAngle, kFloor));
  Check control = judge(1.5, 20, std::tan(20 * kDegree));
  control.quantity += ", friction of 20 degrees";
  checks.push_back(must_fail(control));
  return checks;
}

}  // namespace firn
