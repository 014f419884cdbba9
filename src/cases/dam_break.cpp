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
constexpr double kLatest = 0.2;  // the gate: it only delays the experiment
// Mean speed of the front between two of the measured points, z/a over t sqrt(2g/a).
constexpr double kSpeed = 1.366, kSpeedTolerance = 0.04;

// s; the unit of the times below, whatever the gravity.
double time_unit() {
  return std::sqrt(kBase / (2 * kWaterGravity));
}

// t sqrt(2 g / a) and z / a, as measured; of runs also the height at the wall over its start.
struct Point {
  double time, front, height = 1;
};
constexpr Point kMeasured[] = {{0.832, 1.217}, {1.219, 1.474}, {1.997, 2.292},
                               {2.547, 2.995}, {3.345, 4.134}, {4.034, 4.944}};
constexpr const Point &kFirst = kMeasured[2], &kLast = kMeasured[4];  // of the speed

double front_of(const PointTable& table) {
  std::vector<double> x = table.as_double("x");
  const auto nth = x.begin() + static_cast<std::ptrdiff_t>(0.995 * static_cast<double>(x.size()));
  std::nth_element(x.begin(), nth, x.end());
  return *nth / kBase;
}

// Of the water in the first cell along the wall.
double height_of(const PointTable& table, double spacing) {
  const std::vector<double> x = table.as_double("x"), y = table.as_double("y");
  double highest = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i] < spacing) highest = std::max(highest, y[i] + 0.25 * spacing);
  return highest / kHeight;
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
    const PointTable table = world.snapshot({});
    curve.push_back({world.time() / time_unit(), front_of(table), height_of(table, tank.spacing)});
  };
  const double last = std::rbegin(kMeasured)->time;
  const auto frames = static_cast<std::int64_t>(std::ceil(last * time_unit() * kFps));
  const auto world = run_scene(scene, Precision::double_, frames, record);
  if (!world) return world.errors();
  return curve;
}

double value_at(const std::vector<Point>& curve, double time, double Point::*value) {
  const auto after = std::lower_bound(curve.begin(), curve.end(), time,
                                      [](const Point& p, double t) { return p.time < t; });
  if (after == curve.begin()) return curve.front().*value;
  if (after == curve.end()) return curve.back().*value;
  const Point &b = *after, &a = *(after - 1);
  return a.*value + (b.*value - a.*value) * (time - a.time) / (b.time - a.time);
}
double front_at(const std::vector<Point>& curve, double time) {
  return value_at(curve, time, &Point::front);
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
  for (int k = 0; k <= 100; ++k) {
    const double shift = -kLatest * k / 100;
    if (worst_error(curve, shift) < worst_error(curve, best)) best = shift;
  }
  return best;
}

Check judge_speed(const std::vector<Point>& curve, double shift, const std::string& name) {
  const double way = front_at(curve, kLast.time + shift) - front_at(curve, kFirst.time + shift);
  return relative_check(kCase,
                        "mean speed of the front, t sqrt(2g/a) = " + short_number(kFirst.time) +
                            " to " + short_number(kLast.time) + ", " + name,
                        way / (kLast.time - kFirst.time), kSpeed, kSpeedTolerance);
}

std::vector<Check> judge(double cells, KernelKind kernel, const std::string& name) {
  const auto curve = collapse(cells, kernel, kWaterGravity);
  if (!curve) return {failed_run(kCase, curve.errors())};
  const double shift = best_shift(*curve);
  std::vector<Check> checks;
  for (const Point& p : kMeasured)
    checks.push_back(
        relative_check(kCase, "front z/a at t sqrt(2g/a) = " + short_number(p.time) + ", " + name,
                       front_at(*curve, p.time + shift), p.front, kTolerance));
  checks.push_back(judge_speed(*curve, shift, name));
  checks.push_back(report(kCase, "shift of time, t sqrt(2g/a), " + name, shift));
  for (const Point* p : {&kFirst, &kLast})
    checks.push_back(report(kCase,
                            "height of the column over its start at t sqrt(2g/a) = " +
                                short_number(p->time) + ", " + name,
                            value_at(*curve, p->time + shift, &Point::height)));
  return checks;
}

// The speed finds a gravity that is too small by 15 %; the places of the front, which a shift can
// mend, find one that is too small by 40 %.
std::vector<Check> controls(double cells) {
  const auto weak = collapse(cells, KernelKind::quadratic, 0.85 * kWaterGravity);
  const auto weaker = collapse(cells, KernelKind::quadratic, 0.6 * kWaterGravity);
  for (const auto* run : {&weak, &weaker})
    if (!*run) return {must_fail(failed_run(kCase, run->errors()))};
  return {must_fail(judge_speed(*weak, best_shift(*weak), "gravity 0.85 g")),
          must_fail(limit_check(kCase, "largest error of the front, gravity 0.6 g",
                                worst_error(*weaker, best_shift(*weaker)), kTolerance))};
}

}  // namespace

std::vector<Check> validate_dam_break(const ValidateOptions& options) {
  const double cells = options.fine ? 48 : 24;
  std::vector<Check> checks;
  const auto add = [&](KernelKind kernel, const std::string& name) {
    options.progress("dam_break: " + name);
    for (Check& check : judge(cells, kernel, name)) checks.push_back(std::move(check));
  };
  add(KernelKind::quadratic, "quadratic");
  add(KernelKind::cubic, "cubic");
  options.progress("dam_break: controls");
  for (Check& check : controls(cells)) checks.push_back(std::move(check));
  return checks;
}

}  // namespace firn
