// Collapse of a column of water, Martin and Moyce 1952: a = 2.25 in wide, 2 a high (n^2 = 2). The
// front advances along a dry floor.
#include <algorithm>
#include <cmath>

#include "cases/water.h"

namespace firn {
namespace {

constexpr const char* kCase = "dam_break";
constexpr double kBase = 2.25 * 0.0254;  // a, m
constexpr double kHeight = 2 * kBase;
constexpr double kFps = 2000;
constexpr double kTolerance = 0.1;
constexpr double kMaxShift = 0.2;

// s; the unit of the times below, whatever the gravity.
double time_unit() {
  return std::sqrt(kBase / (2 * kWaterGravity));
}

// t sqrt(2 g / a) and z / a, as measured.
struct Point {
  double time, front;
};
constexpr Point kMeasured[] = {{0.832, 1.217}, {1.219, 1.474}, {1.997, 2.292},
                               {2.547, 2.995}, {3.345, 4.134}, {4.034, 4.944}};

double front_of(const PointTable& table) {
  std::vector<double> x = table.as_double("x");
  const auto nth = x.begin() + static_cast<std::ptrdiff_t>(0.995 * static_cast<double>(x.size()));
  std::nth_element(x.begin(), nth, x.end());
  return *nth / kBase;
}

// The front at every frame; times in time_unit().
Result<std::vector<Point>> collapse(double cells, KernelKind kernel, double gravity) {
  Tank tank;
  tank.width = 8 * kBase;  // further than the front gets
  tank.spacing = kBase / cells;
  tank.kernel = kernel;
  // Sound ten times faster than the fall from the full height.
  tank.bulk_modulus = kWaterDensity * 100 * 2 * kWaterGravity * kHeight;
  SceneSettings scene = tank_scene(tank, kFps);
  scene.gravity[1] = -gravity;
  add_water(scene, tank, kBase, kHeight);
  std::vector<Point> curve;
  const auto record = [&](const World& world) {
    curve.push_back({world.time() / time_unit(), front_of(world.snapshot({}))});
  };
  const double last = std::rbegin(kMeasured)->time + kMaxShift;
  const auto frames = static_cast<std::int64_t>(std::ceil(last * time_unit() * kFps));
  const auto world = run_scene(scene, Precision::double_, frames, record);
  if (!world) return world.errors();
  return curve;
}

double front_at(const std::vector<Point>& curve, double time) {
  const auto after = std::lower_bound(curve.begin(), curve.end(), time,
                                      [](const Point& p, double t) { return p.time < t; });
  if (after == curve.begin()) return curve.front().front;
  if (after == curve.end()) return curve.back().front;
  const Point &b = *after, &a = *(after - 1);
  return a.front + (b.front - a.front) * (time - a.time) / (b.time - a.time);
}

double worst_error(const std::vector<Point>& curve, double shift) {
  double worst = 0;
  for (const Point& p : kMeasured)
    worst = std::max(worst, std::abs(front_at(curve, p.time + shift) / p.front - 1));
  return worst;
}

// The one shift that fits best: when the gate opens is not known to better than that.
double best_shift(const std::vector<Point>& curve) {
  double best = 0;
  for (int k = -100; k <= 100; ++k) {
    const double shift = kMaxShift * k / 100;
    if (worst_error(curve, shift) < worst_error(curve, best)) best = shift;
  }
  return best;
}

std::vector<Check> judge(double cells, KernelKind kernel, double gravity, const std::string& name) {
  const auto curve = collapse(cells, kernel, gravity);
  if (!curve) return {failed_run(kCase, curve.errors())};
  const double shift = best_shift(*curve);
  std::vector<Check> checks;
  for (const Point& p : kMeasured)
    checks.push_back(
        relative_check(kCase, "front z/a at t sqrt(2g/a) = " + short_number(p.time) + ", " + name,
                       front_at(*curve, p.time + shift), p.front, kTolerance));
  checks.push_back(report(kCase, "shift of time, t sqrt(2g/a), " + name, shift));
  return checks;
}

// One verdict for all points: the largest error.
Check control(double cells) {
  const double gravity = 0.6 * kWaterGravity;
  const auto curve = collapse(cells, KernelKind::quadratic, gravity);
  if (!curve) return failed_run(kCase, curve.errors());
  return must_fail(limit_check(kCase, "largest error of the front, gravity 0.6 g",
                               worst_error(*curve, best_shift(*curve)), kTolerance));
}

}  // namespace

std::vector<Check> validate_dam_break(const ValidateOptions& options) {
  const double cells = options.fine ? 48 : 24;
  std::vector<Check> checks;
  const auto add = [&](KernelKind kernel, const std::string& name) {
    options.progress("dam_break: " + name);
    for (Check& check : judge(cells, kernel, kWaterGravity, name))
      checks.push_back(std::move(check));
  };
  add(KernelKind::quadratic, "quadratic");
  add(KernelKind::cubic, "cubic");
  checks.push_back(control(cells));
  return checks;
}

}  // namespace firn
