// A ball of snow that does not crumble falls on a rough floor: how far it spreads, how high it
// stays and how much it is packed, in implicit steps against explicit ones. Longer steps damp the
// waves that pack it, so that packing is judged in steps of 1/2 ms, and sizes in those of a frame
// as well.
#include <algorithm>
#include <cmath>

#include "cases/case_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "implicit_snow";
constexpr double kRadius = 0.2, kDensity = 400, kSpeed = 1, kFps = 48, kSeconds = 0.75;

struct Heap {
  double width = 0, height = 0;  // m
  double packed = 0;             // mean of |J_P - 1|
};

struct Ball {
  double radius = kRadius, speed = kSpeed;  // m, m/s
  double longest = 0;                       // s, of implicit steps; 0: explicit ones
};

SceneSettings ball_scene(double spacing, const Ball& ball) {
  SceneSettings scene = case_scene(2, spacing, kFps);
  scene.gravity = {{0, -9.81, 0}};
  scene.integrator.kind =
      ball.longest > 0 ? IntegratorKind::optimization : IntegratorKind::explicit_;
  scene.integrator.implicit_max_dt = ball.longest;
  Snow::Parameters snow;
  snow.critical_stretch = 0.02;
  add_ball(scene, add_material(scene, snow), kDensity, {{0, ball.radius + spacing, 0}}, ball.radius)
      .velocity = {{1, -ball.speed, 0}};
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate, 0.5);
  return scene;
}

// Between the places that a hundredth of the particles are beyond.
double extent(std::vector<double> places) {
  std::sort(places.begin(), places.end());
  const std::size_t off = places.size() / 100;
  return places[places.size() - 1 - off] - places[off];
}

Result<Heap> drop(double spacing, const Ball& ball) {
  const auto world =
      run_scene(ball_scene(spacing, ball), Precision::double_, std::lround(kSeconds * kFps));
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
  const double brief = options.fine ? 2.5e-4 : 5e-4;
  const Result<Heap> wanted = drop(spacing, {}), found = drop(spacing, {kRadius, kSpeed, brief}),
                     by_frame = drop(spacing, {kRadius, kSpeed, 1 / kFps}),
                     other = drop(spacing, {1.6 * kRadius, 3 * kSpeed, 1 / kFps});
  for (const auto* run : {&wanted, &found, &by_frame, &other})
    if (!*run) return {failed_run(kCase, run->errors())};
  const auto width = [&](const Heap& heap, const std::string& name) {
    return relative_check(kCase, "width, m, " + name, heap.width, wanted->width, 0.1);
  };
  const auto height = [&](const Heap& heap, const std::string& name) {
    return relative_check(kCase, "height, m, " + name, heap.height, wanted->height, 0.1);
  };
  const auto packed = [&](const Heap& heap, const std::string& name) {
    return relative_check(kCase, "mean |J_P - 1|, " + name, heap.packed, wanted->packed, 0.1);
  };
  const std::string brief_steps = "steps of " + short_number(1e3 * brief) + " ms",
                    large = "larger ball, three times as fast";
  return {width(*found, brief_steps),
          height(*found, brief_steps),
          packed(*found, brief_steps),
          width(*by_frame, "steps of a frame"),
          height(*by_frame, "steps of a frame"),
          report(kCase, "mean |J_P - 1|, steps of a frame", by_frame->packed, wanted->packed),
          must_fail(width(*other, large)),
          must_fail(height(*other, large)),
          must_fail(packed(*other, large))};
}

}  // namespace firn
