// Axial bar (bar_swing.h): its period, velocity and energy.
#include <cmath>

#include "cases/bar_swing.h"

namespace firn {
namespace {

constexpr const char* kCase = "axial_bar";
constexpr double kPeriod = BarSwing::kPeriod, kModulus = BarSwing::kModulus;
constexpr double kMeanSpeed = 2 / kPi * BarSwing::kSpeed;  // of the centre of mass, 0.0637 m/s
constexpr double kFps = 20;  // several steps a frame, 200 frames a period

// Largest distance from the exact velocity of the centre of mass in the first period, relative to
// its amplitude.
double deviation_of(const BarSwing& motion) {
  double worst = 0;
  for (std::size_t i = 0; i < motion.time.size() && motion.time[i] <= kPeriod; ++i)
    worst = std::max(worst, std::abs(motion.speed[i] -
                                     kMeanSpeed * std::cos(2 * kPi / kPeriod * motion.time[i])));
  return worst / kMeanSpeed;
}

Check judge_period(const BarSwing& motion, const std::string& name) {
  return relative_check(kCase, "period, s, " + name, motion.period(), kPeriod, 0.01);
}

// Both ends of the interval lie at the same phase, so that what the staggered time steps exchange
// between kinetic and elastic energy drops out.
Check judge_energy(const BarSwing& motion, const std::string& name) {
  const auto periods = std::lround(motion.time.back() / kPeriod);
  return loss_check(kCase,
                    "relative energy loss over " + std::to_string(periods) + " period(s), " + name,
                    1 - motion.energy.back() / motion.energy.front(), 0.01, 0.01);
}

}  // namespace

std::vector<Check> validate_axial_bar(const ValidateOptions& options) {
  const double spacing = BarSwing::kLength / (options.fine ? 200 : 100);
  std::vector<Check> checks;
  const auto add = [&](double modulus, TransferKind transfer, int periods, auto&& judge) {
    SceneSettings scene = bar_scene(spacing, modulus, kFps);
    scene.mpm.transfer = transfer;
    const Result<BarSwing> motion = run_bar(scene, periods);
    if (!motion) return checks.push_back(failed_run(kCase, motion.errors()));
    judge(*motion);
  };
  add(kModulus, TransferKind::mls, 5, [&](const BarSwing& motion) {
    checks.push_back(judge_period(motion, "mls"));
    checks.push_back(limit_check(
        kCase, "velocity of the centre of mass, distance from 0.0637 cos(wt) over 0.0637, mls",
        deviation_of(motion), 0.02));
    checks.push_back(judge_energy(motion, "mls"));
  });
  add(1.04 * kModulus, TransferKind::mls, 2, [&](const BarSwing& motion) {
    checks.push_back(must_fail(judge_period(motion, "E 4 % too large")));
  });
  add(kModulus, TransferKind::pic, 1,
      [&](const BarSwing& motion) { checks.push_back(must_fail(judge_energy(motion, "pic"))); });
  return checks;
}

}  // namespace firn
