// Axial bar: a bar held at one end swings in its first mode, v = v0 sin(pi x / 2L) cos(w t) with
// w = pi c / 2L and c = sqrt(E / rho). Plane strain with nu = 0 is one-dimensional.
#include <cmath>

#include "cases/case_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "axial_bar";
constexpr double kLength = 25, kDensity = 1, kModulus = 100, kSpeed = 0.1;  // m, kg/m3, Pa, m/s
constexpr double kPeriod = 10;                                              // s, 4 L / c
constexpr double kMeanSpeed = 2 / kPi * kSpeed;  // of the centre of mass, 0.0637 m/s
constexpr double kFps = 20;                      // several steps a frame, 200 frames a period

struct Motion {
  std::vector<double> time, speed, energy;  // of the centre of mass, m/s; kinetic and elastic, J
};

SceneSettings bar_scene(double spacing, double modulus, TransferKind transfer) {
  SceneSettings scene = case_scene(2, spacing, kFps);
  scene.mpm.transfer = transfer;
  const int elastic = add_material(scene, elastic_material<NeoHookean>(modulus, 0));
  add_box(scene, elastic, kDensity, {{0, 0, 0}}, {{kLength, 2 * spacing, 0}});
  add_plane(scene, {{0, 0, 0}}, {{1, 0, 0}}, ContactKind::sticky);
  return scene;
}

Result<Motion> swing(const SceneSettings& scene, int periods) {
  Result<std::vector<ObjectParticles>> objects = initial_particles(scene);
  if (!objects) return objects.errors();
  set_velocities(objects->front(), [](const Vec3d& x) {
    const double k = kPi / (2 * kLength);
    VelocityAt at;
    at.velocity[0] = kSpeed * std::sin(k * x[0]);
    at.gradient(0, 0) = kSpeed * k * std::cos(k * x[0]);
    return at;
  });
  auto world = World::create_from_particles(scene, std::move(*objects), Precision::double_);
  if (!world) return world.errors();
  Motion motion;
  const auto record = [&](const World& w) {
    const FrameStats stats = w.statistics();
    motion.time.push_back(stats.time);
    motion.speed.push_back(stats.momentum[0] / stats.mass);
    motion.energy.push_back(stats.kinetic + stats.elastic);
  };
  record(**world);
  const Errors errors =
      run_frames(**world, static_cast<std::int64_t>(periods * kPeriod * kFps), record);
  if (!errors.empty()) return errors;
  return motion;
}

// Mean distance of the upward zero crossings of the velocity, each found by interpolation.
double period_of(const Motion& motion) {
  std::vector<double> crossings;
  for (std::size_t i = 1; i < motion.time.size(); ++i) {
    const double before = motion.speed[i - 1], after = motion.speed[i];
    if (before < 0 && after >= 0)
      crossings.push_back(motion.time[i - 1] +
                          (motion.time[i] - motion.time[i - 1]) * before / (before - after));
  }
  if (crossings.size() < 2) return 0;
  return (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
}

// Largest distance from the exact velocity of the centre of mass in the first period, relative to
// its amplitude.
double deviation_of(const Motion& motion) {
  double worst = 0;
  for (std::size_t i = 0; i < motion.time.size() && motion.time[i] <= kPeriod; ++i)
    worst = std::max(worst, std::abs(motion.speed[i] -
                                     kMeanSpeed * std::cos(2 * kPi / kPeriod * motion.time[i])));
  return worst / kMeanSpeed;
}

Check judge_period(const Motion& motion, const std::string& name) {
  return relative_check(kCase, "period, s, " + name, period_of(motion), kPeriod, 0.01);
}

// Both ends of the interval lie at the same phase, so that what the staggered time steps exchange
// between kinetic and elastic energy drops out.
Check judge_energy(const Motion& motion, const std::string& name) {
  const auto periods = std::lround(motion.time.back() / kPeriod);
  return loss_check(kCase,
                    "relative energy loss over " + std::to_string(periods) + " period(s), " + name,
                    1 - motion.energy.back() / motion.energy.front(), 0.01, 0.01);
}

}  // namespace

std::vector<Check> validate_axial_bar(const ValidateOptions& options) {
  const double spacing = kLength / (options.fine ? 200 : 100);
  std::vector<Check> checks;
  const auto add = [&](double modulus, TransferKind transfer, int periods, auto&& judge) {
    const Result<Motion> motion = swing(bar_scene(spacing, modulus, transfer), periods);
    if (!motion) return checks.push_back(failed_run(kCase, motion.errors()));
    judge(*motion);
  };
  add(kModulus, TransferKind::mls, 5, [&](const Motion& motion) {
    checks.push_back(judge_period(motion, "mls"));
    checks.push_back(limit_check(
        kCase, "velocity of the centre of mass, distance from 0.0637 cos(wt) over 0.0637, mls",
        deviation_of(motion), 0.02));
    checks.push_back(judge_energy(motion, "mls"));
  });
  add(1.04 * kModulus, TransferKind::mls, 2, [&](const Motion& motion) {
    checks.push_back(must_fail(judge_period(motion, "E 4 % too large")));
  });
  add(kModulus, TransferKind::pic, 1,
      [&](const Motion& motion) { checks.push_back(must_fail(judge_energy(motion, "pic"))); });
  return checks;
}

}  // namespace firn
