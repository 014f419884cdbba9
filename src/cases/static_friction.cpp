// Static friction: a block of each solid model on a slope of 14 degrees with mu = 0.3, with and
// without a push. It stops and stays: the plane along the grid with tilted gravity, and the plane
// itself tilted.
#include <algorithm>
#include <cmath>

#include "cases/granular_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "static_friction";
constexpr double kGravity = 9.81, kSlope = 14 * kDegree, kFriction = 0.3, kFps = 10;
constexpr double kStops = 8, kRests = 5;  // s until it must have stopped, s that it is watched

struct Rider {
  ModelParameters material;
  std::string name;
  double density = 1000;
};

struct Ride {
  double turn = 0;  // radians, of the plane against the grid
  double push = 0;  // m/s down the slope
  double friction = kFriction;
};

std::vector<Rider> riders() {
  Sand::Parameters sand;
  sand.youngs_modulus = 1e6;
  sand.cohesion = 3000;
  return {{elastic_material<NeoHookean>(1e6, 0.3), "neo_hookean"},
          // Slides on in flutter (docs/validation.md): the bar stays where it is.
          {elastic_material<NeoHookean>(5e6, 0.3), "neo_hookean, E 5e6"},
          {elastic_material<FixedCorotated>(1e6, 0.3), "fixed_corotated"},
          {elastic_material<StVenantKirchhoff>(1e6, 0.3), "st_venant_kirchhoff"},
          {Snow::Parameters(), "snow", 400},
          {sand, "cohesive sand", 1600}};
}

SceneSettings ride_scene(const Rider& rider, const Ride& ride, double spacing) {
  constexpr double kWidth = 0.8, kHeight = 0.4;
  SceneSettings scene = case_scene(2, spacing, kFps);
  const double rest = kSlope - ride.turn;
  scene.gravity = {{kGravity * std::sin(rest), -kGravity * std::cos(rest), 0}};
  const Vec3d down{{std::cos(ride.turn), -std::sin(ride.turn), 0}},
      normal{{std::sin(ride.turn), std::cos(ride.turn), 0}};
  ObjectSettings& block = add_box(scene, add_material(scene, rider.material), rider.density,
                                  {{0, 0, 0}}, {{kWidth, kHeight, 0}});
  block.shape.center = down * (0.5 * kWidth) + normal * (0.5 * kHeight);
  block.shape.rotation = {{0, 0, -ride.turn / kDegree}};
  for (int a = 0; a < 2; ++a) block.velocity[a] = ride.push * down[a];
  add_plane(scene, {{0, 0, 0}}, normal, ContactKind::separate, ride.friction);
  return scene;
}

// Largest speed of the centre of mass in frames from kStops on, m/s.
Result<double> speed_at_rest(const SceneSettings& scene) {
  double fastest = 0;
  const auto record = [&](const World& world) {
    if (world.time() < kStops) return;
    const FrameStats stats = world.statistics();
    fastest = std::max(fastest, std::sqrt(dot(stats.momentum, stats.momentum)) / stats.mass);
  };
  const auto world =
      run_scene(scene, Precision::double_, std::lround((kStops + kRests) * kFps), record);
  if (!world) return world.errors();
  return fastest;
}

}  // namespace

std::vector<Check> validate_static_friction(const ValidateOptions& options) {
  const double spacing = options.fine ? 0.025 : 0.05;
  const auto judge = [&](const Rider& rider, const Ride& ride, const std::string& name) {
    const Result<double> speed = speed_at_rest(ride_scene(rider, ride, spacing));
    if (!speed) return failed_run(kCase, speed.errors());
    options.progress(rider.name + ", " + name + ": " + short_number(*speed));
    return limit_check(kCase, "speed after 8 s, m/s, " + rider.name + ", " + name, *speed, 1e-3);
  };
  std::vector<Check> checks;
  for (const Rider& rider : riders()) {
    checks.push_back(judge(rider, {0, 0}, "along the grid"));
    checks.push_back(judge(rider, {0, 0.5}, "along the grid, pushed"));
    checks.push_back(judge(rider, {kSlope, 0}, "tilted"));
    checks.push_back(judge(rider, {kSlope, 0.5}, "tilted, pushed"));
  }
  const Check control =
      judge(riders().front(), {0, 0.5, 0.2}, "along the grid, pushed, friction 0.2");
  checks.push_back(control.tolerance > 0 ? must_fail(control) : control);
  return checks;
}

}  // namespace firn
