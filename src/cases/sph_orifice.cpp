// A bin empties through a hole in its floor: the rate does not depend on the filling, goes with
// D^(5/2) (2D, a slit: D^(3/2)), and is Beverloo's 0.58 rho sqrt(g) D^(5/2).
#include <algorithm>
#include <cmath>

#include "cases/sph_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "sph_orifice";
constexpr double kAngle = 30;  // degrees

// 3D: a quarter of a square bin around a round hole.
struct Bin {
  int dimension = 2;
  double spacing = 0;
  double opening = 0;                  // m
  double half_width = 0, filling = 0;  // m
  double from = 0.4, until = 0.9;      // s, when the rate is measured
  double gravity = kSphGravity;
};

void add_floor(SceneSettings& scene, const Bin& bin) {
  const double thick = 2 * bin.spacing, far = 2 * bin.half_width;
  ColliderSettings& floor = scene.colliders.emplace_back();
  floor.name = "floor";
  floor.contact = ContactKind::separate;
  floor.friction.value = std::tan(kAngle * kDegree);
  PartSettings plate, hole;
  plate.kind = hole.kind = ShapeType::box;
  plate.size = {{2 * far, thick, 2 * far}};
  hole.size = {{bin.opening, 3 * thick, far}};
  plate.center = hole.center = {{0, -thick / 2, 0}};
  if (bin.dimension == 3) {
    hole.kind = ShapeType::cylinder;
    hole.radius = bin.opening / 2;
    hole.height = 3 * thick;
  }
  floor.shape.kind = ShapeType::difference;
  floor.shape.parts = {plate, hole};
}

SceneSettings bin_scene(const Bin& bin) {
  SceneSettings scene = sph_scene(bin.dimension, bin.spacing, 50, kAngle);
  scene.gravity = {{0, -bin.gravity, 0}};
  const bool deep = bin.dimension == 3;
  const double w = bin.half_width, h = bin.spacing;
  add_box(scene, 0, kSphDensity, {{deep ? 0 : -w, 0, 0}}, {{w, bin.filling, deep ? w : 0}});
  add_floor(scene, bin);
  add_plane(scene, {{w, 0, 0}}, {{-1, 0, 0}}, ContactKind::separate, 0.3);
  if (deep) {
    add_plane(scene, {{0, 0, 0}}, {{1, 0, 0}}, ContactKind::slip);
    add_plane(scene, {{0, 0, 0}}, {{0, 0, 1}}, ContactKind::slip);
    add_plane(scene, {{0, 0, w}}, {{0, 0, -1}}, ContactKind::separate, 0.3);
  } else {
    add_plane(scene, {{-w, 0, 0}}, {{1, 0, 0}}, ContactKind::separate, 0.3);
  }
  ProbeSettings& probe = scene.probes.emplace_back();
  probe.name = "rate";
  probe.kind = ProbeKind::flux;
  probe.position = {{0, -4 * h, 0}};
  probe.normal = {{0, -1, 0}};
  SinkSettings& sink = scene.sinks.emplace_back();
  sink.name = "below";
  sink.shape.kind = ShapeType::plane;
  sink.shape.center = {{0, -8 * h, 0}};
  return scene;
}

// Mass that leaves in a second, over rho sqrt(g) D^(d - 1/2).
Result<double> discharge(const ValidateOptions& options, const Bin& bin) {
  const SceneSettings scene = bin_scene(bin);
  double sum = 0, count = 0;
  const auto record = [&](const World& world) {
    const FrameStats stats = world.statistics();
    if (stats.time < bin.from) return;
    sum += stats.probes[0].values[0].second.value_or(0);
    count += 1;
  };
  const auto world =
      run_scene(scene, Precision::single,
                static_cast<std::int64_t>(std::lround(bin.until * scene.fps)), record);
  if (!world) return world.errors();
  const double whole = bin.dimension == 3 ? 4 : 1;
  const double rate = whole * sum / count / kSphDensity / std::sqrt(kSphGravity) /
                      std::pow(bin.opening, bin.dimension - 0.5);
  options.progress(std::to_string(bin.dimension) + "D, opening " + short_number(bin.opening) +
                   " m, filling " + short_number(bin.filling) + " m: " + short_number(rate));
  return rate;
}

// Rates for growing openings: how they grow, and the coefficient of the widest.
std::vector<Check> judge(const ValidateOptions& options, Bin bin,
                         const std::vector<double>& openings) {
  std::vector<double> size, rate;
  double last = 0;
  for (const double cells : openings) {
    bin.opening = cells * bin.spacing;
    const Result<double> found = discharge(options, bin);
    if (!found) return {failed_run(kCase, found.errors())};
    last = *found;
    size.push_back(std::log(bin.opening));
    rate.push_back(std::log(last * std::pow(bin.opening, bin.dimension - 0.5)));
  }
  const double exponent = fitted_slope(size, rate), expected = bin.dimension - 0.5;
  const std::string where = std::to_string(bin.dimension) + "D";
  std::vector<Check> checks = {{kCase, "exponent of the opening, " + where, exponent, expected,
                                std::abs(exponent - expected), 0.2,
                                std::abs(exponent - expected) <= 0.2}};
  const std::string name = "rate / (rho sqrt(g) D^(d - 1/2)), " + where;
  checks.push_back(bin.dimension == 3 ? relative_check(kCase, name, last, 0.58, 0.2)
                                      : report(kCase, name, last));
  return checks;
}

}  // namespace

std::vector<Check> validate_sph_orifice(const ValidateOptions& options) {
  const double finer = options.fine ? 0.75 : 1;
  const Bin slit{2, 0.016 * finer, 0.096, 0.4, 0.8};
  const Bin hole{3, 0.025 * finer, 0.2, 0.35, 0.5, 0.3, 0.7};
  std::vector<Check> checks;
  const auto add = [&](std::vector<Check> more) {
    checks.insert(checks.end(), more.begin(), more.end());
  };
  add(judge(options, slit, {6, 9, 12}));
  // Rates go with D - k, k of 0.65 cells: in holes much smaller than these with another power of D.
  add(judge(options, hole, {8, 10, 12}));
  // A wide slit, for long: narrow ones flow by fits and starts.
  Bin wide = slit;
  wide.opening = 9 * wide.spacing;
  wide.until = 1.2;
  Bin lower = wide, lighter = wide;
  lower.filling = 0.5;
  lighter.gravity = 0.5 * kSphGravity;
  const Result<double> full = discharge(options, wide), less = discharge(options, lower),
                       weak = discharge(options, lighter);
  if (!full || !less || !weak)
    return {failed_run(kCase, (!full ? full : !less ? less : weak).errors())};
  checks.push_back(relative_check(kCase, "rate of a filling of 0.5 m over that of 0.8 m, 2D",
                                  *less / *full, 1, 0.05));
  checks.push_back(
      must_fail(relative_check(kCase, "rate with half the gravity, 2D", *weak / *full, 1, 0.05)));
  return checks;
}

}  // namespace firn
