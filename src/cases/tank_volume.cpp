// Volume of water in a tank (MULTI 9, fig. 20): a column, 0.5 m wide and 1 m high, is released at
// one side of a tank 1 m wide and sloshes for ten seconds. Without a cure J drifts, and 38 % of the
// water vanish (MULTI, quadratic kernel; 8 % with the cubic one).
#include <cmath>

#include "cases/water.h"

namespace firn {
namespace {

constexpr const char* kCase = "tank_volume";
constexpr double kSeconds = 10;
constexpr double kAveraged = 1;  // s at the end, over which waves are averaged
constexpr double kFps = 20;
constexpr double kColumnWidth = 0.5, kColumnHeight = 1;
constexpr double kTolerance = 0.03;

struct Levels {
  double surface = 0, center = 0;  // m
};

Result<Levels> slosh(const Tank& tank) {
  SceneSettings scene = tank_scene(tank, kFps);
  add_water(scene, tank, kColumnWidth, kColumnHeight);
  const auto frames = static_cast<std::int64_t>(kSeconds * kFps);
  const auto averaged = static_cast<std::int64_t>(kAveraged * kFps);
  Levels mean;
  const auto record = [&](const World& world) {
    if (world.frame() <= frames - averaged) return;
    const PointTable table = world.snapshot({});
    mean.surface += surface_level(table, tank, 0.5 * tank.spacing) / static_cast<double>(averaged);
    mean.center += center_level(table, tank, 0.5 * tank.spacing) / static_cast<double>(averaged);
  };
  const auto world = run_scene(scene, Precision::single, frames, record);
  if (!world) return world.errors();
  return mean;
}

// Volume as the area under the surface, and as the centre of mass has it.
std::vector<Check> judge(const Tank& tank, const std::string& name) {
  const Result<Levels> levels = slosh(tank);
  if (!levels) return {failed_run(kCase, levels.errors())};
  const double level = kColumnWidth * kColumnHeight / tank.width;
  return {relative_check(kCase, "volume under the surface over initial volume, " + name,
                         levels->surface / level, 1, kTolerance),
          relative_check(kCase, "volume by the centre of mass over initial volume, " + name,
                         levels->center / level, 1, kTolerance)};
}

}  // namespace

std::vector<Check> validate_tank_volume(const ValidateOptions& options) {
  Tank tank;
  tank.spacing = options.fine ? 1.0 / 64 : 1.0 / 32;
  std::vector<Check> checks;
  const auto add = [&](const Tank& one, const std::string& name) {
    options.progress("tank_volume: " + name);
    for (Check& check : judge(one, name)) checks.push_back(std::move(check));
  };
  add(tank, "quadratic");
  Tank cubic = tank;
  cubic.kernel = KernelKind::cubic;
  add(cubic, "cubic");
  Tank solid = tank;
  solid.spacing = options.fine ? 1.0 / 32 : 1.0 / 16;
  solid.depth = 0.25;
  add(solid, "quadratic, 3D");

  Tank drifting = tank;
  drifting.volume_correction = false;
  options.progress("tank_volume: control");
  for (Check& check : judge(drifting, "quadratic, without volume correction"))
    checks.push_back(check.tolerance > 0 || !check.ran ? must_fail(std::move(check))
                                                       : std::move(check));
  return checks;
}

}  // namespace firn
