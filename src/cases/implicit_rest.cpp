// A block on a slope of 14 degrees in steps of 1/24 s: with friction 0.3 it stays where it is, with
// 0.2 it slides with g (sin - mu cos). The plane along the grid with tilted gravity, and the plane
// itself tilted.
#include <cmath>

#include "cases/implicit_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "implicit_rest";
constexpr double kGravity = 9.81, kSlope = 14 * kDegree, kFps = 24;
constexpr double kWidth = 0.8, kHeight = 0.4;            // m
constexpr int kSettles = 24, kSlides = 36, kRests = 48;  // frames

struct Slope {
  double turn = 0;  // radians, of the plane against the grid
  double friction = 0.3;
  IntegratorKind kind = IntegratorKind::optimization;
};

struct Way {
  double moved = 0;         // of any particle in the last kRests, over the width
  double acceleration = 0;  // m/s2 down the slope, from kSettles to kSlides
  double missed = 0;
};

SceneSettings slope_scene(const Slope& slope, double spacing) {
  SceneSettings scene = case_scene(2, spacing, kFps);
  scene.integrator.kind = slope.kind;
  scene.integrator.implicit_max_dt = 1 / kFps;
  const double rest = kSlope - slope.turn;
  scene.gravity = {{kGravity * std::sin(rest), -kGravity * std::cos(rest), 0}};
  const Vec3d down{{std::cos(slope.turn), -std::sin(slope.turn), 0}},
      normal{{std::sin(slope.turn), std::cos(slope.turn), 0}};
  const int elastic = add_material(scene, elastic_material<NeoHookean>(1e6, 0.3));
  ObjectSettings& block = add_box(scene, elastic, 1000, {{0, 0, 0}}, {{kWidth, kHeight, 0}});
  block.shape.center = down * (0.5 * kWidth) + normal * (0.5 * kHeight);
  block.shape.rotation = {{0, 0, -slope.turn / kDegree}};
  add_plane(scene, {{0, 0, 0}}, normal, ContactKind::separate, slope.friction);
  return scene;
}

Result<Way> watch(const Slope& slope, double spacing) {
  Way way;
  double early = 0;
  std::vector<double> x0, y0;
  const auto record = [&](const World& world) {
    const FrameStats stats = world.statistics();
    const double speed =
        (stats.momentum[0] * std::cos(slope.turn) - stats.momentum[1] * std::sin(slope.turn)) /
        stats.mass;
    if (stats.frame == kSettles) early = speed;
    if (stats.frame == kSlides) way.acceleration = (speed - early) * kFps / (kSlides - kSettles);
    if (stats.solves) way.missed += static_cast<double>(stats.solves->missed_steps);
    if (stats.frame < kSettles) return;
    const PointTable table = world.snapshot({});
    const auto x = table.as_double("x"), y = table.as_double("y");
    if (stats.frame == kSettles) {
      x0.assign(x.begin(), x.end());
      y0.assign(y.begin(), y.end());
    }
    for (std::size_t i = 0; i < x.size(); ++i)
      way.moved = std::max(way.moved, std::hypot(x[i] - x0[i], y[i] - y0[i]) / kWidth);
  };
  const auto world =
      run_scene(slope_scene(slope, spacing), Precision::double_, kSettles + kRests, record);
  if (!world) return world.errors();
  return way;
}

Check judge_rest(const Way& way, const std::string& name) {
  return limit_check(kCase, "moved in 2 s, over the width, " + name, way.moved, 1e-3);
}
Check judge_slide(const Way& way, const std::string& name) {
  const double exact = kGravity * (std::sin(kSlope) - 0.2 * std::cos(kSlope));
  return relative_check(kCase, "acceleration, m/s2, " + name, way.acceleration, exact, 0.05);
}

}  // namespace

std::vector<Check> validate_implicit_rest(const ValidateOptions& options) {
  const double spacing = options.fine ? 0.025 : 0.05;
  std::vector<Check> checks;
  for (const auto& [kind, word] : kImplicitKinds)
    for (const double turn : {0.0, kSlope}) {
      if (turn > 0 && kind == IntegratorKind::newton) continue;  // takes minutes
      const std::string name = std::string(word) + (turn > 0 ? ", tilted" : ", along the grid");
      const Result<Way> held = watch({turn, 0.3, kind}, spacing),
                        sliding = watch({turn, 0.2, kind}, spacing);
      for (const auto* run : {&held, &sliding})
        if (!*run) checks.push_back(failed_run(kCase, run->errors()));
      if (!held || !sliding) continue;
      checks.push_back(judge_rest(*held, "friction 0.3, " + name));
      checks.push_back(must_fail(judge_rest(*sliding, "friction 0.2, " + name)));
      checks.push_back(judge_slide(*sliding, "friction 0.2, " + name));
      checks.push_back(must_fail(judge_slide(*held, "friction 0.3, " + name)));
      checks.push_back(limit_check(kCase, "steps that missed their tolerance, " + name,
                                   held->missed + sliding->missed, 0.5));
      options.progress(name);
    }
  return checks;
}

}  // namespace firn
