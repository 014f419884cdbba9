// Water in steps of a frame: a tank at rest for 5 s, the front of a dam break beside explicit
// steps, and a drop that falls into a pool and leaves its volume there.
#include <algorithm>
#include <cmath>

#include "cases/implicit_tools.h"
#include "cases/water.h"

namespace firn {
namespace {

constexpr const char* kCase = "implicit_water";
constexpr double kFps = 24, kDepth = 0.5;
constexpr int kFrames = 120;

// A friction that rubs nobody: such walls are no mirrors but stop nodes.
constexpr double kNearlySmooth = 1e-9;

struct Rest {
  double speed = 0;                  // m/s, RMS over the last second
  double lowest = 1e9, highest = 0;  // m, of the surface from the first second on
  double floor = 0;                  // pressure in the lowest cell over rho g depth
};

double rms_speed(const World& world) {
  const FrameStats stats = world.statistics();
  return std::sqrt(2 * stats.kinetic / stats.mass);
}

double floor_pressure(const PointTable& table, const Tank& tank, double level) {
  const auto y = table.as_double("y"), p = table.as_double("pressure");
  double found = 0, expected = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] > tank.spacing) continue;
    found += p[i];
    expected += kWaterDensity * kWaterGravity * (level - y[i]);
  }
  return found / expected;
}

Result<Rest> leave_alone(const Tank& tank, IntegratorKind kind, double friction) {
  SceneSettings scene = tank_scene(tank, kFps);
  scene.integrator.kind = kind;
  for (ColliderSettings& wall : scene.colliders) wall.friction = friction;
  add_water(scene, tank, tank.width, kDepth);
  Rest rest;
  const auto record = [&](const World& world) {
    if (world.frame() <= kFps) return;
    const PointTable table = world.snapshot({"pressure"});
    const double level = surface_level(table, tank, 0.5 * tank.spacing);
    rest.lowest = std::min(rest.lowest, level);
    rest.highest = std::max(rest.highest, level);
    if (world.frame() <= kFrames - kFps) return;
    rest.speed += rms_speed(world) / kFps;
    rest.floor += floor_pressure(table, tank, level) / kFps;
  };
  const auto world = run_scene(scene, Precision::single, kFrames, record);
  if (!world) return world.errors();
  return rest;
}

Check judge_speed(const Rest& rest, const std::string& name) {
  return limit_check(kCase, "rms speed in the fifth second over sqrt(g h), " + name,
                     rest.speed / std::sqrt(kWaterGravity * kDepth), 1e-3);
}

void add_rest(const Tank& tank, IntegratorKind kind, const std::string& name,
              std::vector<Check>& checks) {
  const Result<Rest> rest = leave_alone(tank, kind, 0);
  if (!rest) return checks.push_back(failed_run(kCase, rest.errors()));
  checks.push_back(judge_speed(*rest, name));
  checks.push_back(limit_check(kCase, "change of the level in four seconds over it, " + name,
                               (rest->highest - rest->lowest) / kDepth, 2e-3));
  checks.push_back(
      relative_check(kCase, "level over the initial one, " + name, rest->lowest / kDepth, 1, 0.01));
  checks.push_back(
      relative_check(kCase, "pressure at the floor over rho g h, " + name, rest->floor, 1, 0.03));
}

// Places of the front at a quarter and a sixth of a second.
Result<std::vector<double>> release(IntegratorKind kind, double gravity) {
  Tank tank;
  SceneSettings scene = tank_scene(tank, kFps);
  scene.gravity[1] = -gravity;
  scene.integrator.kind = kind;
  add_water(scene, tank, 0.5, 1);
  std::vector<double> fronts;
  const auto record = [&](const World& world) {
    if (world.frame() != 4 && world.frame() != 6) return;
    std::vector<double> x = world.snapshot({}).as_double("x");
    const auto nth = x.begin() + static_cast<std::ptrdiff_t>(0.995 * static_cast<double>(x.size()));
    std::nth_element(x.begin(), nth, x.end());
    fronts.push_back(*nth);
  };
  const auto world = run_scene(scene, Precision::single, 6, record);
  if (!world) return world.errors();
  return fronts;
}

void add_front(std::vector<Check>& checks) {
  const auto implicit = release(IntegratorKind::optimization, kWaterGravity);
  const auto exact = release(IntegratorKind::explicit_, kWaterGravity);
  const auto weak = release(IntegratorKind::optimization, 0.8 * kWaterGravity);
  for (const auto* run : {&implicit, &exact, &weak})
    if (!*run) return checks.push_back(failed_run(kCase, run->errors()));
  const auto judge = [&](const std::vector<double>& fronts, int k, const std::string& name) {
    return relative_check(kCase, "front of the dam break over that of explicit steps, " + name,
                          fronts[k] / (*exact)[k], 1, 0.05);
  };
  checks.push_back(judge(*implicit, 0, "after 1/6 s"));
  checks.push_back(judge(*implicit, 1, "after 1/4 s"));
  checks.push_back(must_fail(judge(*weak, 1, "gravity 0.8 g")));
}

// Of a pool 0.5 m deep in which a drop fell, over what both have: by the surface and by the centre
// of mass, means over the last second.
struct Volume {
  double surface = 0, center = 0;
};
Result<Volume> drop(bool keeps_volume) {
  constexpr double kRadius = 0.12;
  Tank tank;
  tank.volume_correction = keeps_volume;
  SceneSettings scene = tank_scene(tank, kFps);
  scene.integrator.kind = IntegratorKind::optimization;
  add_water(scene, tank, tank.width, kDepth);
  add_ball(scene, 0, kWaterDensity, {{0.5, 0.9, 0}}, kRadius).name = "drop";
  const double level = kDepth + 3.14159265 * kRadius * kRadius / tank.width;
  Volume volume;
  const auto record = [&](const World& world) {
    if (world.frame() <= kFrames - kFps) return;
    const PointTable table = world.snapshot({});
    volume.surface += surface_level(table, tank, 0.5 * tank.spacing) / level / kFps;
    volume.center += center_level(table, tank, 0.5 * tank.spacing) / level / kFps;
  };
  const auto world = run_scene(scene, Precision::single, kFrames, record);
  if (!world) return world.errors();
  return volume;
}

void add_drop(std::vector<Check>& checks) {
  const auto judge = [](double volume, const std::string& name) {
    return relative_check(kCase, "volume of pool and drop over the initial one, " + name, volume, 1,
                          0.02);
  };
  const Result<Volume> kept = drop(true), drifting = drop(false);
  for (const auto* run : {&kept, &drifting})
    if (!*run) return checks.push_back(failed_run(kCase, run->errors()));
  checks.push_back(judge(kept->surface, "by the surface"));
  checks.push_back(judge(kept->center, "by the centre of mass"));
  checks.push_back(must_fail(judge(drifting->center, "without volume correction")));
}

}  // namespace

std::vector<Check> validate_implicit_water(const ValidateOptions& options) {
  std::vector<Check> checks;
  Tank tank;
  tank.spacing = options.fine ? 1.0 / 64 : 1.0 / 32;
  for (const auto& [kind, word] : kImplicitKinds) {
    options.progress(std::string(kCase) + ": rest, " + word);
    add_rest(tank, kind, word, checks);
  }
  Tank deep = tank;
  deep.spacing *= 2;
  deep.depth = 0.5;
  options.progress(std::string(kCase) + ": rest, 3D");
  add_rest(deep, IntegratorKind::optimization, "3D", checks);
  options.progress(std::string(kCase) + ": control");
  const Result<Rest> stopped = leave_alone(tank, IntegratorKind::optimization, kNearlySmooth);
  checks.push_back(stopped ? must_fail(judge_speed(*stopped, "walls that stop nodes"))
                           : failed_run(kCase, stopped.errors()));
  options.progress(std::string(kCase) + ": front");
  add_front(checks);
  options.progress(std::string(kCase) + ": drop");
  add_drop(checks);
  return checks;
}

}  // namespace firn
