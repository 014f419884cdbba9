// Axial bar in implicit steps: backward Euler damps its first mode, by |1 / (1 + i w dt)| a step,
// and makes the period longer by w dt / atan(w dt). FLIP with ratio 1, which does not damp by
// itself; what is left is judged against explicit steps of a twentieth.
#include <cmath>

#include "cases/case_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "implicit_bar";
constexpr double kLength = 25, kDensity = 1, kModulus = 100, kSpeed = 0.1;  // m, kg/m3, Pa, m/s
constexpr double kPeriod = 10;                                              // s, 4 L / c
constexpr int kStepsPerPeriod = 100, kPeriods = 2;
constexpr double kStep = kPeriod / kStepsPerPeriod;  // s
constexpr double kPhase = 2 * kPi / kStepsPerPeriod;

struct Swing {
  std::vector<double> time, speed, energy;  // of the centre of mass, m/s; kinetic and elastic, J
};

SceneSettings bar_scene(double spacing, const IntegratorSettings& integrator) {
  SceneSettings scene = case_scene(2, spacing, 1 / kStep);
  scene.mpm.transfer = TransferKind::flip;
  scene.mpm.flip_ratio = 1;
  scene.integrator = integrator;
  const int elastic = add_material(scene, elastic_material<NeoHookean>(kModulus, 0));
  add_box(scene, elastic, kDensity, {{0, 0, 0}}, {{kLength, 2 * spacing, 0}});
  add_plane(scene, {{0, 0, 0}}, {{1, 0, 0}}, ContactKind::sticky);
  return scene;
}

Result<Swing> swing(const SceneSettings& scene) {
  Result<std::vector<ObjectParticles>> objects = initial_particles(scene);
  if (!objects) return objects.errors();
  set_velocities(objects->front(), [](const Vec3d& x) {
    VelocityAt at;
    at.velocity[0] = kSpeed * std::sin(kPi / (2 * kLength) * x[0]);
    return at;
  });
  auto world = World::create_from_particles(scene, std::move(*objects), Precision::double_);
  if (!world) return world.errors();
  Swing motion;
  const auto record = [&](const World& w) {
    const FrameStats stats = w.statistics();
    motion.time.push_back(stats.time);
    motion.speed.push_back(stats.momentum[0] / stats.mass);
    motion.energy.push_back(stats.kinetic + stats.elastic);
  };
  record(**world);
  const Errors errors = run_frames(**world, (kPeriods + 1) * kStepsPerPeriod, record);
  if (!errors.empty()) return errors;
  return motion;
}

// Mean distance of the upward zero crossings of the velocity, each found by interpolation.
double period_of(const Swing& motion) {
  std::vector<double> crossings;
  for (std::size_t i = 1; i < motion.time.size(); ++i) {
    const double before = motion.speed[i - 1], after = motion.speed[i];
    if (before < 0 && after >= 0)
      crossings.push_back(motion.time[i - 1] + kStep * before / (before - after));
  }
  if (crossings.size() < 2) return 0;
  return (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
}

// By which the lowest velocities of a period, of parabolas through three of them, fall.
double decay_of(const Swing& motion) {
  std::vector<double> peaks;
  for (std::size_t i = 1; i + 1 < motion.speed.size(); ++i) {
    const double a = motion.speed[i - 1], b = motion.speed[i], c = motion.speed[i + 1];
    if (b < 0 && b < a && b <= c) peaks.push_back(b - (c - a) * (c - a) / (8 * (a - 2 * b + c)));
  }
  if (peaks.size() < 2) return 0;
  return std::pow(peaks.back() / peaks.front(), 1.0 / static_cast<double>(peaks.size() - 1));
}

double largest_gain(const Swing& motion) {
  double worst = -1;
  for (std::size_t i = 1; i < motion.energy.size(); ++i)
    worst = std::max(worst, motion.energy[i] / motion.energy[i - 1] - 1);
  return worst;
}

IntegratorSettings implicit_steps() {
  IntegratorSettings steps;
  steps.kind = IntegratorKind::optimization;
  steps.fixed_dt = kStep;
  steps.tolerance = 1e-8;
  return steps;
}

IntegratorSettings explicit_steps(double dt) {
  IntegratorSettings steps;
  steps.fixed_dt = dt;
  return steps;
}

}  // namespace

std::vector<Check> validate_implicit_bar(const ValidateOptions& options) {
  const double spacing = kLength / (options.fine ? 100 : 50);
  const auto damped = swing(bar_scene(spacing, implicit_steps()));
  const auto free = swing(bar_scene(spacing, explicit_steps(kStep / 20)));
  const auto coarse = swing(bar_scene(spacing, explicit_steps(kStep / (options.fine ? 5 : 3))));
  for (const auto* run : {&damped, &free, &coarse})
    if (!*run) return {failed_run(kCase, run->errors())};
  const auto judge_decay = [&](const Swing& motion, const std::string& name) {
    const double exact = std::pow(1 + kPhase * kPhase, -0.5 * kStepsPerPeriod);
    return relative_check(kCase, "amplitude left after a period, " + name,
                          decay_of(motion) / decay_of(*free), exact, 0.02);
  };
  const auto judge_period = [&](const Swing& motion, const std::string& name) {
    return relative_check(kCase, "period over that of small steps, " + name,
                          period_of(motion) / period_of(*free), kPhase / std::atan(kPhase), 5e-4);
  };
  const auto judge_energy = [&](const Swing& motion, const std::string& name) {
    return limit_check(kCase, "energy gained in a step, relative, " + name, largest_gain(motion),
                       1e-12);
  };
  return {report(kCase, "period of small explicit steps, s", period_of(*free), kPeriod),
          report(kCase, "amplitude left after a period, small explicit steps", decay_of(*free), 1),
          judge_decay(*damped, "optimization"),
          judge_period(*damped, "optimization"),
          judge_energy(*damped, "optimization"),
          must_fail(judge_decay(*coarse, "explicit")),
          must_fail(judge_period(*coarse, "explicit")),
          must_fail(judge_energy(*coarse, "explicit"))};
}

}  // namespace firn
