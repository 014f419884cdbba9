// A slot of width W filled with sand between rough walls (Janssen 1895). The walls bear a part of
// the weight: with the ratio K of the stress on the walls to the vertical one, the floor bears
// rho g W / (2 mu K) (1 - exp(-2 mu K z / W)), however high the filling.
#include <algorithm>
#include <cmath>

#include "cases/granular_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "janssen";
constexpr double kGravity = 9.81, kDensity = 1600, kFps = 20;
constexpr double kWidth = 0.2;                             // m
constexpr double kRise = 0.004;                            // m/s, of the walls
constexpr double kOnset = 1, kSeconds = 5, kAveraged = 2;  // s: of gravity, of all, at the end

struct Slot {
  const char* name = "";
  double friction_angle = 30;  // degrees, of the sand
  double poisson_ratio = 0.3;  // elastically K is nu / (1 - nu)
  double friction = 0.5;       // of the walls
  double filling = 4;          // height / width
  int cells = 10;              // in its width
};
// Walls as rough as the sand: they bear sin 30 degrees when it shears along them at constant
// volume.
constexpr Slot kOrdinary{"ordinary sand", 30, 0.3, 0.5};
// The floor's load saturates within 5 % from 4 W on where mu K > 0.37, which takes sand that
// presses on the walls from the start and is strong enough to slide along them as a plug.
constexpr Slot kPressing{"strong, pressing sand", 42, 0.45, 0.55};

struct SlotLoads {
  double floor = 0, walls = 0;  // N/m, vertical
  double normal = 0;            // N/m on a wall
  double weight = 0;
  double ratio = 0;  // K: mean stress on the walls over the mean vertical one
};

SceneSettings slot_scene(const Slot& slot) {
  const double h = kWidth / slot.cells, height = slot.filling * kWidth;
  SceneSettings scene = case_scene(2, h, kFps);
  scene.gravity = {{0, -kGravity, 0}};
  Sand::Parameters sand;
  sand.friction_angle = slot.friction_angle;
  sand.poisson_ratio = slot.poisson_ratio;
  sand.youngs_modulus = 90 * kDensity * kGravity * kWidth;
  add_box(scene, add_material(scene, sand), kDensity, {{0, 0, 0}}, {{kWidth, height, 0}});
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate);
  // The walls rise, so that the filling slides along them and their friction is awake. Walls that
  // move along themselves stay on the nodes; a floor that sinks leaves them, and K is then uneven.
  const std::string onset = short_number(kOnset);
  const std::string rising =
      "t < " + onset + " ? 0 : " + short_number(kRise) + " * (t - " + onset + ")";
  for (const double side : {0.0, 1.0}) {
    ColliderSettings& wall = add_plane(scene, {{side * kWidth, 0, 0}}, {{1 - 2 * side, 0, 0}},
                                       ContactKind::separate, slot.friction);
    wall.motion.emplace();
    wall.motion->translation[1] = {0, rising};
  }
  return scene;
}

// Stress next to the walls over the vertical one, half a width off the floor and the surface.
double measured_ratio(const World& world, const Slot& slot) {
  const PointTable table = world.snapshot({"stress"});
  const auto x = table.as_double("x"), y = table.as_double("y");
  const auto xx = table.as_double("stress_xx"), yy = table.as_double("stress_yy");
  const double beside = 1.5 * kWidth / slot.cells;
  double wall = 0, walls = 0, vertical = 0, count = 0;
  for (std::size_t i = 0; i < table.count; ++i) {
    if (y[i] < 0.5 * kWidth || y[i] > (slot.filling - 0.5) * kWidth) continue;
    vertical += yy[i];
    count += 1;
    if (x[i] > beside && x[i] < kWidth - beside) continue;
    wall += xx[i];
    walls += 1;
  }
  return wall / walls / (vertical / count);
}

Result<SlotLoads> fill_slot(const Slot& slot) {
  auto world = World::create(slot_scene(slot), Precision::double_);
  if (!world) return world.errors();
  (*world)->set_body_force([](const Vec3d&, double t) {
    return Vec3d{{0, std::max(kGravity * (1 - t / kOnset), 0.0), 0}};
  });
  SlotLoads loads;
  double count = 0;
  const auto measure = [&](const World& now) {
    if (now.time() <= kSeconds - kAveraged + 1e-9) return;
    const FrameStats stats = now.statistics();
    loads.floor -= stats.colliders[0].force[1];
    loads.walls -= stats.colliders[1].force[1] + stats.colliders[2].force[1];
    loads.normal += 0.5 * (stats.colliders[2].force[0] - stats.colliders[1].force[0]);
    loads.weight = stats.mass * kGravity;
    loads.ratio += measured_ratio(now, slot);
    count += 1;
  };
  Errors errors = run_frames(**world, std::lround(kSeconds * kFps), measure);
  if (!errors.empty()) return errors;
  for (double* sum : {&loads.floor, &loads.walls, &loads.normal, &loads.ratio}) *sum /= count;
  return loads;
}

double janssen_load(const Slot& slot, double ratio) {
  const double rate = 2 * slot.friction * ratio;
  return kDensity * kGravity * kWidth * kWidth / rate * (1 - std::exp(-rate * slot.filling));
}

}  // namespace

std::vector<Check> validate_janssen(const ValidateOptions& options) {
  std::vector<Check> checks;
  const auto judge = [&](const Slot& slot, const SlotLoads& loads) {
    const std::string name =
        slot.name + std::string(", filled to ") + short_number(slot.filling) + " W";
    checks.push_back(relative_check(kCase, "floor and walls together / weight, " + name,
                                    (loads.floor + loads.walls) / loads.weight, 1, 0.01));
    checks.push_back(report(kCase, "K, " + name, loads.ratio));
    checks.push_back(report(kCase, "shear / stress on the walls, " + name,
                            0.5 * loads.walls / loads.normal, slot.friction));
    checks.push_back(relative_check(kCase, "load of the floor, N/m, " + name, loads.floor,
                                    janssen_load(slot, loads.ratio), 0.1));
  };
  for (Slot low : {kPressing, kOrdinary}) {
    low.cells = options.fine ? 20 : 10;
    Slot high = low;
    high.filling = 2 * low.filling;
    const Result<SlotLoads> four = fill_slot(low), eight = fill_slot(high);
    for (const auto* loads : {&four, &eight})
      if (!*loads) return {failed_run(kCase, loads->errors())};
    judge(low, *four);
    judge(high, *eight);
    const std::string more = "load of the floor, 8 W over 4 W, " + std::string(low.name);
    const double growth = eight->floor / four->floor;
    checks.push_back(
        low.friction == kPressing.friction
            ? relative_check(kCase, more, growth, 1, 0.05)
            : report(kCase, more, growth,
                     janssen_load(high, eight->ratio) / janssen_load(low, four->ratio)));
  }
  Slot smooth = kPressing;
  smooth.friction *= 0.5;
  const Result<SlotLoads> slick = fill_slot(smooth);
  if (!slick) return {failed_run(kCase, slick.errors())};
  checks.push_back(
      must_fail(relative_check(kCase, "load of the floor, N/m, walls half as rough", slick->floor,
                               janssen_load(kPressing, slick->ratio), 0.1)));
  return checks;
}

}  // namespace firn
