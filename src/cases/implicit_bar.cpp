// Axial bar (bar_swing.h) in implicit steps: backward Euler damps its first mode, by
// |1 / (1 + i w dt)| a step, and makes the period longer by w dt / atan(w dt). FLIP with ratio 1,
// which does not damp by itself; what is left is judged against explicit steps of a twentieth.
#include <cmath>

#include "cases/bar_swing.h"

namespace firn {
namespace {

constexpr const char* kCase = "implicit_bar";
constexpr int kStepsPerPeriod = 100, kPeriods = 3;
constexpr double kStep = BarSwing::kPeriod / kStepsPerPeriod;  // s
constexpr double kPhase = 2 * kPi / kStepsPerPeriod;

Result<BarSwing> swing(double spacing, const IntegratorSettings& integrator) {
  SceneSettings scene = bar_scene(spacing, BarSwing::kModulus, 1 / kStep);
  scene.mpm.transfer = TransferKind::flip;
  scene.mpm.flip_ratio = 1;
  scene.integrator = integrator;
  return run_bar(scene, kPeriods);
}

// By which the lowest velocities of a period, of parabolas through three of them, fall.
double decay_of(const BarSwing& motion) {
  std::vector<double> peaks;
  for (std::size_t i = 1; i + 1 < motion.speed.size(); ++i) {
    const double a = motion.speed[i - 1], b = motion.speed[i], c = motion.speed[i + 1];
    if (b < 0 && b < a && b <= c) peaks.push_back(b - (c - a) * (c - a) / (8 * (a - 2 * b + c)));
  }
  if (peaks.size() < 2) return 0;
  return std::pow(peaks.back() / peaks.front(), 1.0 / static_cast<double>(peaks.size() - 1));
}

double largest_gain(const BarSwing& motion) {
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
  const double spacing = BarSwing::kLength / (options.fine ? 100 : 50);
  const auto damped = swing(spacing, implicit_steps());
  const auto free = swing(spacing, explicit_steps(kStep / 20));
  const auto coarse = swing(spacing, explicit_steps(kStep / (options.fine ? 5 : 3)));
  for (const auto* run : {&damped, &free, &coarse})
    if (!*run) return {failed_run(kCase, run->errors())};
  const auto judge_decay = [&](const BarSwing& motion, const std::string& name) {
    const double exact = std::pow(1 + kPhase * kPhase, -0.5 * kStepsPerPeriod);
    return relative_check(kCase, "amplitude left after a period, " + name,
                          decay_of(motion) / decay_of(*free), exact, 0.02);
  };
  const auto judge_period = [&](const BarSwing& motion, const std::string& name) {
    return relative_check(kCase, "period over that of small steps, " + name,
                          motion.period() / free->period(), kPhase / std::atan(kPhase), 5e-4);
  };
  const auto judge_energy = [&](const BarSwing& motion, const std::string& name) {
    return limit_check(kCase, "energy gained in a step, relative, " + name, largest_gain(motion),
                       1e-12);
  };
  return {report(kCase, "period of small explicit steps, s", free->period(), BarSwing::kPeriod),
          report(kCase, "amplitude left after a period, small explicit steps", decay_of(*free), 1),
          judge_decay(*damped, "optimization"),
          judge_period(*damped, "optimization"),
          judge_energy(*damped, "optimization"),
          must_fail(judge_decay(*coarse, "explicit")),
          must_fail(judge_period(*coarse, "explicit")),
          must_fail(judge_energy(*coarse, "explicit"))};
}

}  // namespace firn
