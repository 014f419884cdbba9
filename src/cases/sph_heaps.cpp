// Heaps that grow under a spout: their slope lies between that of sand that shears along it,
// atan(sin phi), less 15 %, and the angle of friction (GRAIN figure 7).
#include <algorithm>
#include <cmath>

#include "cases/sph_tools.h"
#include "scene/defaults.h"

namespace firn {
namespace {

constexpr const char* kCase = "sph_heaps";

SceneSettings heap_scene(double friction_angle, double spacing) {
  constexpr double kPours = 2.5;  // s
  SceneSettings scene = sph_scene(2, spacing, 20, friction_angle);
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate, 1);
  EmitterSettings& spout = scene.emitters.emplace_back();
  spout.name = "spout";
  spout.density = kSphDensity;
  spout.shape.kind = ShapeType::box;
  spout.shape.size = {{0.1, 2 * spacing, 0}};
  spout.shape.center = {{0, 0.45, 0}};
  spout.velocity = {{0, -0.8, 0}};
  spout.stop = kPours;
  fill_defaults(scene);
  return scene;
}

// Of both sides, degrees: a line through the surface between a fifth and four fifths of its height.
double slope_of(const World& world, double spacing) {
  const PointTable table = world.snapshot({});
  const auto x = table.as_double("x"), y = table.as_double("y");
  constexpr int kStrips = 400;
  double sum = 0;
  for (const double side : {-1.0, 1.0}) {
    std::vector<double> top(kStrips, 0), at, height;
    double summit = 0;
    for (std::size_t i = 0; i < table.count; ++i) {
      const auto strip = static_cast<std::size_t>(std::max(side * x[i], 0.0) / spacing);
      if (side * x[i] < 0 || strip >= top.size()) continue;
      top[strip] = std::max(top[strip], y[i]);
      summit = std::max(summit, y[i]);
    }
    for (std::size_t s = 0; s < top.size(); ++s) {
      if (top[s] < 0.2 * summit) break;
      if (top[s] > 0.8 * summit) continue;
      at.push_back(static_cast<double>(s) * spacing);
      height.push_back(-top[s]);
    }
    sum += std::atan(fitted_slope(at, height)) / kDegree / 2;
  }
  return sum;
}

Result<double> heap_slope(double friction_angle, double spacing) {
  const SceneSettings scene = heap_scene(friction_angle, spacing);
  const auto world = run_scene(scene, Precision::single, 90);
  if (!world) return world.errors();
  return slope_of(**world, spacing);
}

Check judge(double slope, double friction_angle, const std::string& name) {
  const double low = 0.85 * std::atan(std::sin(friction_angle * kDegree)) / kDegree;
  return range_check(kCase, name, slope, low, friction_angle, 1e-9);
}

}  // namespace

std::vector<Check> validate_sph_heaps(const ValidateOptions& options) {
  const double spacing = options.fine ? 0.015 : 0.025;
  std::vector<Check> checks;
  double previous = 0;
  for (const double angle : {20.0, 30.0, 40.0}) {
    const Result<double> slope = heap_slope(angle, spacing);
    if (!slope) return {failed_run(kCase, slope.errors())};
    const std::string name = "slope of a heap, degrees, friction " + short_number(angle);
    options.progress(name + ": " + short_number(*slope));
    checks.push_back(judge(*slope, angle, name));
    if (previous > 0)
      checks.push_back(at_least_check(kCase, name + ", above the heap before", *slope, previous));
    if (angle == 20)
      checks.push_back(must_fail(judge(*slope, 40, name + ", as if it were 40 degrees")));
    previous = *slope;
  }
  return checks;
}

}  // namespace firn
