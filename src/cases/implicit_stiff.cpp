// Elastic balls of any stiffness fall on a floor in steps of 1/24 s: runs come to their end, no
// step misses its tolerance, energy never exceeds what there was, and nothing enters the floor.
#include <algorithm>
#include <cmath>

#include "cases/case_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "implicit_stiff";
constexpr double kGravity = 9.81, kDensity = 1000, kRadius = 0.25, kDrop = 0.5;  // m
constexpr double kFps = 24, kSeconds = 2;

struct Ball {
  int dimension = 2;
  double modulus = 1e5;
  IntegratorKind kind = IntegratorKind::optimization;
  double floor = 0;        // m, where it is; it should be at 0
  double floor_speed = 0;  // m/s, upwards
  bool hasty = false;      // one Newton step, and much asked of it
};

struct Fall {
  double gain = 0;    // of energy, over that of the drop
  double depth = 0;   // cells below 0
  double missed = 0;  // steps
  double steps = 0;
};

SceneSettings ball_scene(const Ball& ball, double spacing) {
  SceneSettings scene = case_scene(ball.dimension, spacing, kFps);
  scene.gravity = {{0, -kGravity, 0}};
  scene.integrator.kind = ball.kind;
  scene.integrator.implicit_max_dt = 1 / kFps;
  if (ball.hasty) {
    scene.integrator.max_newton = 1;
    scene.integrator.tolerance = 1e-10;
  }
  const int elastic = add_material(scene, elastic_material<FixedCorotated>(ball.modulus, 0.3));
  add_ball(scene, elastic, kDensity, {{0, kRadius + kDrop, 0}}, kRadius);
  ColliderSettings& floor =
      add_plane(scene, {{0, ball.floor, 0}}, {{0, 1, 0}}, ContactKind::separate,
                ball.hasty ? 0 : 0.3);  // friction asks for several solves
  if (ball.floor_speed > 0) {
    floor.motion.emplace();
    floor.motion->translation[1] = {0, short_number(ball.floor_speed) + " * t"};
  }
  return scene;
}

Result<Fall> drop(const Ball& ball, double spacing) {
  Fall fall;
  double start = 0;
  const auto record = [&](const World& world) {
    const FrameStats stats = world.statistics();
    const double energy = stats.kinetic + stats.elastic + stats.gravity_potential;
    if (stats.frame == 0) start = energy;
    fall.gain = std::max(fall.gain, (energy - start) / (stats.mass * kGravity * kDrop));
    for (const double y : world.snapshot({}).as_double("y"))
      fall.depth = std::max(fall.depth, -y / spacing);
    if (!stats.solves || stats.frame == 0) return;
    fall.missed += static_cast<double>(stats.solves->missed_steps);
    fall.steps += static_cast<double>(stats.steps);
  };
  const auto world = run_scene(ball_scene(ball, spacing), Precision::double_,
                               std::lround(kSeconds * kFps), record);
  if (!world) return world.errors();
  return fall;
}

// Steps that missed their tolerance, of one: each of them takes many tries.
Result<double> missed_at_once(const Ball& ball, double spacing) {
  const auto world = World::create(ball_scene(ball, spacing), Precision::double_);
  if (!world) return world.errors();
  const Result<double> dt = (*world)->advance_step();
  if (!dt) return dt.errors();
  return static_cast<double>((*world)->statistics().solves->missed_steps);
}

Check judge_energy(const Fall& fall, const std::string& name) {
  return limit_check(kCase, "energy above that of the start, over m g H, " + name, fall.gain, 1e-9);
}
Check judge_depth(const Fall& fall, const std::string& name) {
  return limit_check(kCase, "depth in the floor, cells, " + name, fall.depth, 0.01);
}
Check judge_missed(double missed, const std::string& name) {
  return limit_check(kCase, "steps that missed their tolerance, " + name, missed, 0.5);
}

}  // namespace

std::vector<Check> validate_implicit_stiff(const ValidateOptions& options) {
  std::vector<Check> checks;
  const auto watch = [&](const Ball& ball, const std::string& name, const auto& judge) {
    const Result<Fall> fall =
        drop(ball, kRadius / (ball.dimension == 3 ? 3 : 6) / (options.fine ? 2 : 1));
    if (!fall) return checks.push_back(failed_run(kCase, fall.errors()));
    options.progress(name + ": " + short_number(fall->steps) + " steps");
    judge(*fall);
  };
  const std::pair<IntegratorKind, const char*> kinds[] = {
      {IntegratorKind::optimization, "optimization"}, {IntegratorKind::newton, "newton"}};
  for (const int dimension : {2, 3})
    for (const auto& [kind, word] : kinds)
      for (const double modulus : {1e5, 1e7, 1e9}) {
        if (dimension == 3 && kind == IntegratorKind::newton) continue;
        const std::string name =
            std::string(word) + ", " + std::to_string(dimension) + "D, E " + short_number(modulus);
        watch({dimension, modulus, kind}, name, [&](const Fall& fall) {
          checks.push_back(judge_energy(fall, name));
          checks.push_back(judge_depth(fall, name));
          checks.push_back(judge_missed(fall.missed, name));
          checks.push_back(report(kCase, "steps for 48 frames, " + name, fall.steps));
        });
      }
  Ball lifted, low, hasty;
  lifted.floor_speed = 2;
  low.floor = -0.01;
  hasty.hasty = true;
  hasty.floor = kDrop;
  watch(lifted, "floor that rises", [&](const Fall& fall) {
    checks.push_back(must_fail(judge_energy(fall, "floor that rises")));
  });
  watch(low, "floor too low", [&](const Fall& fall) {
    checks.push_back(must_fail(judge_depth(fall, "floor too low by 1 cm")));
  });
  const Result<double> missed = missed_at_once(hasty, kRadius / 6);
  checks.push_back(missed ? must_fail(judge_missed(*missed, "one Newton step"))
                          : failed_run(kCase, missed.errors()));
  return checks;
}

}  // namespace firn
