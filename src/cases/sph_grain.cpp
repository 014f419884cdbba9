// A lone grain: in still air it falls at sqrt(4 rho d g / (3 Cd rho_air)) in the end, on a floor it
// stops after v^2 / (2 mu g).
#include <cmath>

#include "cases/sph_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "sph_grain";
constexpr double kSpacing = 0.05, kDiameter = 5e-4, kFriction = 0.4;

SceneSettings grain_scene(int dimension, const VaryingVector& velocity) {
  SceneSettings scene = sph_scene(dimension, kSpacing, 25, 30);
  const double edge = kSpacing / 2;
  add_box(scene, 0, kSphDensity, {{0, 0, 0}}, {{edge, edge, dimension == 3 ? edge : 0}}).velocity =
      velocity;
  return scene;
}

Check judge_fall(int dimension, double drag_coefficient, const std::string& how) {
  SceneSettings scene = grain_scene(dimension, {{0, 0, 0}});
  scene.air.emplace();
  scene.air->grain_diameter = kDiameter;
  scene.air->drag_coefficient = drag_coefficient;
  const auto world = run_scene(scene, Precision::double_, 100);
  if (!world) return failed_run(kCase, world.errors());
  const AirKeys usual;
  const double expected = std::sqrt(4 * kSphDensity * kDiameter * kSphGravity /
                                    (3 * usual.drag_coefficient * usual.density));
  return relative_check(kCase, "final speed in air, m/s, " + std::to_string(dimension) + "D" + how,
                        (*world)->statistics().max_speed, expected, 0.01);
}

Check judge_slide(int dimension, double friction, const std::string& how) {
  constexpr double kSpeed = 1.5;
  SceneSettings scene = grain_scene(dimension, {{kSpeed, 0, 0}});
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate, friction);
  auto world = World::create(scene, Precision::double_);
  if (!world) return failed_run(kCase, world.errors());
  const auto place = [&] { return (*world)->snapshot({}).as_double("x")[0]; };
  const double start = place();
  const Errors errors = run_frames(**world, 50);
  if (!errors.empty()) return failed_run(kCase, errors);
  return relative_check(kCase, "way on a floor, m, " + std::to_string(dimension) + "D" + how,
                        place() - start, kSpeed * kSpeed / (2 * kFriction * kSphGravity), 0.05);
}

}  // namespace

std::vector<Check> validate_sph_grain(const ValidateOptions&) {
  const double usual = AirKeys().drag_coefficient;
  std::vector<Check> checks;
  for (const int dimension : {2, 3}) {
    checks.push_back(judge_fall(dimension, usual, ""));
    checks.push_back(judge_slide(dimension, kFriction, ""));
  }
  checks.push_back(must_fail(judge_fall(3, 1.1 * usual, ", drag a tenth larger")));
  checks.push_back(must_fail(judge_slide(3, 1.1 * kFriction, ", friction a tenth larger")));
  return checks;
}

}  // namespace firn
