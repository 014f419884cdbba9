// A ball of snow falls on a rough floor: how far it spreads, how high it stays and how much of it
// is packed, in implicit steps against explicit ones.
#include <algorithm>
#include <cmath>

#include "cases/case_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "implicit_snow";
constexpr double kRadius = 0.2, kDensity = 400, kSpeed = 4, kFps = 48, kSeconds = 0.75;

struct Heap {
  double width = 0, height = 0;  // m
  double packed = 0;             // mean of |J_P - 1|
};

SceneSettings ball_scene(double spacing, IntegratorKind kind, double friction, double speed) {
  SceneSettings scene = case_scene(2, spacing, kFps);
  scene.gravity = {{0, -9.81, 0}};
  scene.integrator.kind = kind;
  add_ball(scene, add_material(scene, Snow::Parameters()), kDensity, {{0, kRadius + spacing, 0}},
           kRadius)
      .velocity = {{1, -speed, 0}};
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate, friction);
  return scene;
}

// Between the places that a hundredth of the particles are beyond.
double extent(std::vector<double> places) {
  std::sort(places.begin(), places.end());
  const std::size_t off = places.size() / 100;
  return places[places.size() - 1 - off] - places[off];
}

Result<Heap> drop(double spacing, IntegratorKind kind, double friction, double speed = kSpeed) {
  const auto world = run_scene(ball_scene(spacing, kind, friction, speed), Precision::double_,
                               std::lround(kSeconds * kFps));
  if (!world) return world.errors();
  const PointTable table = (*world)->snapshot({"J_P"});
  const auto x = table.as_double("x"), y = table.as_double("y"), ratio = table.as_double("J_P");
  Heap heap;
  heap.width = extent({x.begin(), x.end()});
  heap.height = extent({y.begin(), y.end()});
  for (const double of : ratio) heap.packed += std::abs(of - 1) / static_cast<double>(ratio.size());
  return heap;
}

}  // namespace

std::vector<Check> validate_implicit_snow(const ValidateOptions& options) {
  const double spacing = kRadius / (options.fine ? 20 : 10);
  std::vector<Check> checks;
  for (const double friction : {0.5, 0.1}) {
    const Result<Heap> wanted = drop(spacing, IntegratorKind::explicit_, friction),
                       found = drop(spacing, IntegratorKind::optimization, friction),
                       slow = drop(spacing, IntegratorKind::optimization, friction, 0.5 * kSpeed);
    for (const auto* run : {&wanted, &found, &slow})
      if (!*run) return {failed_run(kCase, run->errors())};
    const auto judge = [&](const Heap& heap, const std::string& name) {
      const std::string with = ", friction " + short_number(friction) + ", " + name;
      return std::vector<Check>{
          relative_check(kCase, "width, m" + with, heap.width, wanted->width, 0.1),
          relative_check(kCase, "height, m" + with, heap.height, wanted->height, 0.1),
          relative_check(kCase, "mean |J_P - 1|" + with, heap.packed, wanted->packed, 0.1)};
    };
    for (Check& check : judge(*found, "optimization")) checks.push_back(std::move(check));
    for (Check& check : judge(*slow, "half the speed"))
      checks.push_back(must_fail(std::move(check)));
    options.progress("friction " + short_number(friction));
  }
  return checks;
}

}  // namespace firn
