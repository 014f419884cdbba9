// Standing wave: water in a tank sloshes in its first mode. It starts flat, with the velocities of
// the linear theory: v = V grad(cos(k x) cosh(k y)) / (k sinh(k d)), k = pi / width. The momentum
// along the tank then swings as cos(omega t), omega^2 = g k tanh(k d).
#include <algorithm>
#include <cmath>

#include "cases/water.h"
#include "scene/initial_particles.h"

namespace firn {
namespace {

constexpr const char* kCase = "standing_wave";
constexpr double kPi = 3.14159265358979323846;
constexpr double kWidth = 1, kDepth = 0.5;  // m
constexpr double kSpeed = 0.06;             // m/s, largest of the surface: it rises by 0.011 m
constexpr double kFps = 100;
constexpr int kPeriods = 4;

double exact_period(double depth) {
  const double k = kPi / kWidth;
  return 2 * kPi / std::sqrt(kWaterGravity * k * std::tanh(k * depth));
}

VelocityAt mode(const Vec3d& x, double depth) {
  const double k = kPi / kWidth, scale = kSpeed / std::sinh(k * depth);
  const double s = std::sin(k * x[0]), c = std::cos(k * x[0]);
  VelocityAt at;
  at.velocity = {{-scale * s * std::cosh(k * x[1]), scale * c * std::sinh(k * x[1]), 0}};
  at.gradient(0, 0) = -scale * k * c * std::cosh(k * x[1]);
  at.gradient(0, 1) = -scale * k * s * std::sinh(k * x[1]);
  at.gradient(1, 0) = -scale * k * s * std::sinh(k * x[1]);
  at.gradient(1, 1) = scale * k * c * std::cosh(k * x[1]);
  return at;
}

struct Wave {
  double period = 0;   // s
  double damping = 0;  // share of the amplitude that is lost in a period
};

// From the zero crossings of the momentum and its extremes between them.
Wave measure_wave(const std::vector<double>& momentum) {
  std::vector<double> crossings, peaks;
  double peak = 0;
  for (std::size_t i = 1; i < momentum.size(); ++i) {
    const double a = momentum[i - 1], b = momentum[i];
    peak = std::max(peak, std::abs(a));
    if ((a > 0) == (b > 0)) continue;
    crossings.push_back((double(i) - 1 + a / (a - b)) / kFps);
    if (crossings.size() > 1) peaks.push_back(peak);
    peak = 0;
  }
  if (crossings.size() < 3) return {};
  const double halves = double(crossings.size()) - 1;
  Wave wave;
  wave.period = 2 * (crossings.back() - crossings.front()) / halves;
  wave.damping = 1 - std::pow(peaks.back() / peaks.front(), 2 / (double(peaks.size()) - 1));
  return wave;
}

Result<Wave> slosh(KernelKind kernel, double spacing, double depth) {
  Tank tank;
  tank.width = kWidth;
  tank.spacing = spacing;
  tank.bulk_modulus = 5e5;
  tank.kernel = kernel;
  SceneSettings scene = tank_scene(tank, kFps);
  // At rest under its weight: p = K/gamma (J^-gamma - 1) = rho g (depth - y).
  InitialField ratio;
  ratio.name = "J";
  ratio.value.expression = "(1 + 7 * " + short_number(kWaterDensity * kWaterGravity) + " * (" +
                           short_number(depth) + " - y) / " + short_number(tank.bulk_modulus) +
                           ")^(-1/7)";
  add_water(scene, tank, kWidth, depth).fields.push_back(ratio);
  Result<std::vector<ObjectParticles>> water = initial_particles(scene);
  if (!water) return water.errors();
  set_velocities(water->front(), [&](const Vec3d& x) { return mode(x, depth); });
  auto world = World::create_from_particles(scene, std::move(*water), Precision::single);
  if (!world) return world.errors();
  std::vector<double> momentum = {(*world)->statistics().momentum[0]};
  const auto frames = static_cast<std::int64_t>((kPeriods + 0.5) * exact_period(depth) * kFps);
  const Errors errors = run_frames(
      **world, frames, [&](const World& w) { momentum.push_back(w.statistics().momentum[0]); });
  if (!errors.empty()) return errors;
  return measure_wave(momentum);
}

Check judge(const Wave& wave, const std::string& name) {
  return relative_check(kCase, "period, s, " + name, wave.period, exact_period(kDepth), 0.02);
}

}  // namespace

std::vector<Check> validate_standing_wave(const ValidateOptions& options) {
  const double h = options.fine ? 1.0 / 128 : 1.0 / 64;
  std::vector<Check> checks;
  const auto add = [&](KernelKind kernel, double spacing, const std::string& name) {
    options.progress("standing wave: " + name);
    const Result<Wave> wave = slosh(kernel, spacing, kDepth);
    if (!wave) return checks.push_back(failed_run(kCase, wave.errors()));
    checks.push_back(judge(*wave, name));
    checks.push_back(report(kCase, "amplitude lost a period, " + name, wave->damping));
  };
  add(KernelKind::quadratic, 2 * h, "quadratic, h = " + short_number(2 * h));
  add(KernelKind::quadratic, h, "quadratic, h = " + short_number(h));
  add(KernelKind::cubic, h, "cubic, h = " + short_number(h));
  const Result<Wave> shallow = slosh(KernelKind::quadratic, 2 * h, 0.8 * kDepth);
  checks.push_back(shallow ? must_fail(judge(*shallow, "water of 0.4 m"))
                           : failed_run(kCase, shallow.errors()));
  return checks;
}

}  // namespace firn
