// Infinite slope: a periodic layer of sand on a rough floor, steeper than it can bear. Sand that
// shears at constant volume bears tau / sigma = sin(phi) along the plane of shear, so that the
// layer stands up to atan(sin phi), and above that slides with g (sin theta - sin phi cos theta).
#include <cmath>

#include "cases/granular_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "infinite_slope";
constexpr double kGravity = 9.81, kDensity = 1600;
constexpr double kDepth = 0.4;                     // m
constexpr double kFrom = 0.5, kTo = 1, kFps = 20;  // s: what is measured

struct Slope {
  double angle = 36;     // degrees, of the floor
  double friction = 30;  // degrees, of the sand
};

// The floor lies along the grid, and gravity is tilted.
SceneSettings slope_scene(const Slope& slope, int cells) {
  const double spacing = kDepth / cells, theta = slope.angle * kDegree;
  SceneSettings scene = case_scene(2, spacing, kFps);
  scene.gravity = {{kGravity * std::sin(theta), -kGravity * std::cos(theta), 0}};
  scene.grid.periodic.axes[0] = Interval{0, 8 * spacing};
  Sand::Parameters sand;
  sand.friction_angle = slope.friction;
  // 13 MPa. The stiffer, the shorter are the steps, and the more is lost in transfers.
  sand.youngs_modulus = 2000 * kDensity * kGravity * kDepth;
  ObjectSettings& layer =
      add_box(scene, add_material(scene, sand), kDensity, {{0, 0, 0}}, {{8 * spacing, kDepth, 0}});
  layer.initial_stress.emplace();
  layer.initial_stress->k0 = 1;
  add_plane(scene, {{0, 1e-6 * spacing, 0}}, {{0, 1, 0}}, ContactKind::sticky);
  return scene;
}

// Mean velocity along the slope of the particles above half the depth.
double velocity_of(const World& world) {
  const PointTable table = world.snapshot({"velocity"});
  const auto y = table.as_double("y"), v = table.as_double("vx");
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < table.count; ++i)
    if (y[i] > 0.5 * kDepth) {
      sum += v[i];
      count += 1;
    }
  return sum / count;
}

struct Slide {
  double acceleration = 0;  // m/s2 between the two times
  double speed = 0;         // m/s at the second
};

Result<Slide> watch_slope(const Slope& slope, int cells) {
  double early = 0, late = 0;
  const auto record = [&](const World& world) {
    if (world.frame() == std::lround(kFrom * kFps)) early = velocity_of(world);
    if (world.frame() == std::lround(kTo * kFps)) late = velocity_of(world);
  };
  const auto world =
      run_scene(slope_scene(slope, cells), Precision::double_, std::lround(kTo * kFps), record);
  if (!world) return world.errors();
  return Slide{(late - early) / (kTo - kFrom), std::abs(late)};
}

double theory(const Slope& slope) {
  const double theta = slope.angle * kDegree;
  return kGravity * (std::sin(theta) - std::sin(slope.friction * kDegree) * std::cos(theta));
}

}  // namespace

std::vector<Check> validate_infinite_slope(const ValidateOptions& options) {
  // Transfers spread the step of velocity at the floor over some cells and push what is above on by
  // an impulse that falls with h: 5.6 % with 24 cells, 2.9 % with 48.
  const int cells = options.fine ? 64 : 48;
  const auto judge = [&](const Slope& slope, double reference, const std::string& name) {
    const Result<Slide> slide = watch_slope(slope, cells);
    if (!slide) return failed_run(kCase, slide.errors());
    return relative_check(kCase, "acceleration, m/s2, " + name, slide->acceleration, reference,
                          0.05);
  };
  const Slope steep, steeper{40, 30}, rough{36, 35};
  std::vector<Check> checks = {judge(steep, theory(steep), "slope 36, friction 30"),
                               judge(steeper, theory(steeper), "slope 40, friction 30")};
  const Result<Slide> below = watch_slope({24, 30}, cells);  // atan(sin 30) = 26.6
  checks.push_back(
      below ? limit_check(kCase, "speed, m/s, slope 24, friction 30: stands", below->speed, 2e-3)
            : failed_run(kCase, below.errors()));
  const Check control = judge(rough, theory(steep), "friction 35 against the theory of 30");
  checks.push_back(control.tolerance > 0 ? must_fail(control) : control);
  return checks;
}

}  // namespace firn
