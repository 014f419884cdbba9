// Earth pressure on a smooth wall that moves away from dry sand (active) or into it (passive). At
// failure the horizontal stress is K times the vertical one. Sand that slips along planes of
// tau / sigma = tan(d) has K = (1 - sin d) / (1 + sin d) or its inverse (Rankine), with d between
// the angle of friction and, without dilatancy, atan(sin phi).
#include <algorithm>
#include <cmath>

#include "cases/granular_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "rankine";
constexpr double kGravity = 9.81, kDensity = 1600, kFps = 50;
constexpr double kHeight = 0.5;  // m
constexpr double kAngle = 30;    // degrees

struct Wall {
  double speed = 0;  // m/s, into the sand
  double seconds = 1;
  double width = 1.5;  // m, of the bed
  double friction_angle = kAngle;
};

SceneSettings wall_scene(const Wall& wall, int cells) {
  const double h = kHeight / cells;
  SceneSettings scene = case_scene(2, h, kFps);
  scene.gravity = {{0, -kGravity, 0}};
  Sand::Parameters sand;
  sand.friction_angle = wall.friction_angle;
  sand.youngs_modulus = 500 * kDensity * kGravity * kHeight;
  ObjectSettings& bed =
      add_box(scene, add_material(scene, sand), kDensity, {{0, 0, 0}}, {{wall.width, kHeight, 0}});
  bed.initial_stress.emplace();
  // Smooth, so that nothing but the wall holds the wedge that slips.
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::slip);
  add_plane(scene, {{wall.width, 0, 0}}, {{-1, 0, 0}}, ContactKind::slip);
  ColliderSettings& plate = add_plane(scene, {{0, 0, 0}}, {{1, 0, 0}}, ContactKind::separate);
  plate.name = "plate";
  // Sets in over a tenth of the time.
  const double ramp = 0.1 * wall.seconds;
  plate.motion.emplace();
  plate.motion->translation[0] = {0, short_number(wall.speed) + " * (t < " + short_number(ramp) +
                                         " ? t^2 / " + short_number(2 * ramp) + " : t - " +
                                         short_number(0.5 * ramp) + ")"};
  return scene;
}

// The load of the wall over rho g H^2 / 2: mean over the last third.
Result<double> pressure_ratio(const Wall& wall, int cells) {
  double sum = 0, count = 0;
  const std::int64_t frames = std::lround(wall.seconds * kFps);
  const auto record = [&](const World& world) {
    const FrameStats stats = world.statistics();
    if (stats.colliders.size() < 3 || 3 * world.frame() <= 2 * frames) return;
    sum -= stats.colliders[2].force[0] / (0.5 * kDensity * kGravity * kHeight * kHeight);
    count += 1;
  };
  const auto world = run_scene(wall_scene(wall, cells), Precision::double_, frames, record);
  if (!world) return world.errors();
  return sum / count;
}

}  // namespace

std::vector<Check> validate_rankine(const ValidateOptions& options) {
  const int cells = options.fine ? 40 : 20;
  const auto judge = [&](const Wall& wall, double low, double high, const std::string& name) {
    const Result<double> ratio = pressure_ratio(wall, cells);
    if (!ratio) return failed_run(kCase, ratio.errors());
    return range_check(kCase, "K, " + name, *ratio, low, high, 0.08);
  };
  const Wall active{-0.01, 1, 1.5}, passive{0.03, 1, 2};
  Wall weaker = active, stronger = passive;
  weaker.friction_angle = 22;
  stronger.friction_angle = 42;  // with 36 degrees atan(sin phi) allows 3.05
  std::vector<Check> checks = {judge(active, 0.333, 0.382, "active"),
                               judge(passive, 2.62, 3.0, "passive")};
  for (const Check& control : {judge(weaker, 0.333, 0.382, "active, friction of 22 degrees"),
                               judge(stronger, 2.62, 3.0, "passive, friction of 42 degrees")})
    checks.push_back(control.tolerance > 0 ? must_fail(control) : control);
  return checks;
}

}  // namespace firn
