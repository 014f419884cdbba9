// Viscous flows with exact solutions. Taylor-Green: vortices in a box that is periodic in both
// directions, u = U sin(kx) cos(ky), v = -U cos(kx) sin(ky), lose kinetic energy as
// exp(-4 nu k^2 t). Poiseuille: a channel between sticky walls, periodic along x and driven by g,
// comes to u = g y (H - y) / (2 nu).
#include <algorithm>
#include <cmath>

#include "cases/case_tools.h"
#include "scene/initial_particles.h"

namespace firn {
namespace {

constexpr const char* kVortices = "taylor_green";
constexpr const char* kChannel = "poiseuille";
constexpr double kPi = 3.14159265358979323846;
constexpr double kDensity = 1000;  // kg/m3
constexpr double kModulus = 5e4;   // Pa: sound is 14 times faster than the flow
constexpr double kNu = 0.05;       // m2/s

struct Scheme {
  const char* name;
  KernelKind kernel;
  TransferKind transfer;
};
constexpr Scheme kSchemes[] = {{"mls, quadratic", KernelKind::quadratic, TransferKind::mls},
                               {"mls, cubic", KernelKind::cubic, TransferKind::mls},
                               {"apic, quadratic", KernelKind::quadratic, TransferKind::apic}};

SceneSettings viscous_scene(const Scheme& scheme, double spacing, double fps, double nu,
                            double modulus = kModulus) {
  SceneSettings scene = case_scene(2, spacing, fps);
  scene.mpm.kernel = scheme.kernel;
  scene.mpm.transfer = scheme.transfer;
  Fluid::Parameters fluid;
  fluid.bulk_modulus = modulus;
  fluid.viscosity = nu * kDensity;
  add_material(scene, fluid);
  return scene;
}

// Taylor-Green

constexpr double kBox = 1;      // m
constexpr double kSpeed = 0.5;  // m/s: a Reynolds number of 10
constexpr double kVortexFps = 100;

VelocityAt vortices(const Vec3d& x) {
  const double k = 2 * kPi / kBox;
  const double sx = std::sin(k * x[0]), cx = std::cos(k * x[0]);
  const double sy = std::sin(k * x[1]), cy = std::cos(k * x[1]);
  VelocityAt at;
  at.velocity = {{kSpeed * sx * cy, -kSpeed * cx * sy, 0}};
  at.gradient(0, 0) = kSpeed * k * cx * cy;
  at.gradient(0, 1) = -kSpeed * k * sx * sy;
  at.gradient(1, 0) = kSpeed * k * sx * sy;
  at.gradient(1, 1) = -kSpeed * k * cx * cy;
  return at;
}

// The rate at which kinetic energy falls to a tenth, over 4 nu k^2.
Result<double> decay(const Scheme& scheme, double spacing, double nu, double modulus = kModulus) {
  SceneSettings scene = viscous_scene(scheme, spacing, kVortexFps, nu, modulus);
  scene.grid.periodic.axes[0] = scene.grid.periodic.axes[1] = Interval{0, kBox};
  // The pressure of the flow, p = rho U^2 / 4 (cos 2kx + cos 2ky), as J = 1 - p / K.
  InitialField ratio;
  ratio.name = "J";
  ratio.value.expression = "1 - " + short_number(kDensity * kSpeed * kSpeed / (4 * modulus)) +
                           " * (cos(4 * pi * x) + cos(4 * pi * y))";
  add_box(scene, 0, kDensity, {{0, 0, 0}}, {{kBox, kBox, 0}}).fields.push_back(ratio);
  Result<std::vector<ObjectParticles>> fluid = initial_particles(scene);
  if (!fluid) return fluid.errors();
  set_velocities(fluid->front(), vortices);
  auto world = World::create_from_particles(scene, std::move(*fluid), Precision::single);
  if (!world) return world.errors();
  const double rate = 4 * kNu * std::pow(2 * kPi / kBox, 2);
  const auto frames = static_cast<std::int64_t>(std::log(10) / rate * kVortexFps);
  const double start = (*world)->statistics().kinetic;
  const Errors errors = run_frames(**world, frames);
  if (!errors.empty()) return errors;
  const double lost = std::log(start / (*world)->statistics().kinetic);
  return lost / (rate * double(frames) / kVortexFps);
}

Check judge_decay(double measured, const std::string& name) {
  return relative_check(kVortices, "decay of kinetic energy over 4 nu k^2, " + name, measured, 1,
                        0.05);
}

// Poiseuille

constexpr double kHeight = 0.5;   // m
constexpr double kFastest = 0.2;  // m/s, in the middle
constexpr double kSettling = 3;   // s: six times H^2 / (pi^2 nu)

// Largest distance of the mean velocity of layers half a cell thick from the parabola, over its
// largest.
Result<double> profile_error(const Scheme& scheme, int cells, double nu) {
  const double h = kHeight / cells;
  SceneSettings scene = viscous_scene(scheme, h, 1, nu);
  scene.gravity = {{8 * kNu * kFastest / (kHeight * kHeight), 0, 0}};
  const double length = 8 * h;
  scene.grid.periodic.axes[0] = Interval{0, length};
  add_box(scene, 0, kDensity, {{0, 0, 0}}, {{length, kHeight, 0}});
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::sticky);
  add_plane(scene, {{0, kHeight, 0}}, {{0, -1, 0}}, ContactKind::sticky);
  const auto world = run_scene(scene, Precision::single, static_cast<std::int64_t>(kSettling));
  if (!world) return world.errors();
  const PointTable table = (*world)->snapshot({"velocity"});
  const auto y = table.as_double("y"), u = table.as_double("vx");
  const auto layers = static_cast<std::size_t>(2 * cells);
  std::vector<double> count(layers, 0), off(layers, 0);
  for (std::size_t i = 0; i < table.count; ++i) {
    const double exact = 4 * kFastest * y[i] * (kHeight - y[i]) / (kHeight * kHeight);
    const auto layer = std::min(layers - 1, static_cast<std::size_t>(std::max(0.0, 2 * y[i] / h)));
    count[layer] += 1;
    off[layer] += u[i] - exact;
  }
  double worst = 0;
  for (std::size_t l = 0; l < layers; ++l)
    if (count[l] > 0) worst = std::max(worst, std::abs(off[l] / count[l]) / kFastest);
  return worst;
}

Check judge_profile(double error, const std::string& name) {
  return limit_check(kChannel, "distance from the parabola over its largest, " + name, error, 0.03);
}

}  // namespace

std::vector<Check> validate_taylor_green(const ValidateOptions& options) {
  const double h = options.fine ? 1.0 / 64 : 1.0 / 32;
  std::vector<Check> checks;
  for (const Scheme& scheme : kSchemes) {
    const Result<double> rate = decay(scheme, h, kNu);
    options.progress(std::string(kVortices) + ": " + scheme.name);
    checks.push_back(rate ? judge_decay(*rate, scheme.name) : failed_run(kVortices, rate.errors()));
  }
  // Every step takes a little through the transfers: stiffer fluids, with shorter steps, lose more.
  const Result<double> stiff = decay(kSchemes[0], h, kNu, 10 * kModulus);
  checks.push_back(stiff ? report(kVortices, "the same with a modulus of 5e5 Pa", *stiff, 1)
                         : failed_run(kVortices, stiff.errors()));
  const Result<double> wrong = decay(kSchemes[0], h, 1.1 * kNu);
  checks.push_back(wrong ? must_fail(judge_decay(*wrong, "viscosity 10 % too large"))
                         : failed_run(kVortices, wrong.errors()));
  return checks;
}

std::vector<Check> validate_poiseuille(const ValidateOptions& options) {
  const int cells = options.fine ? 64 : 32;
  std::vector<Check> checks;
  for (const Scheme& scheme : kSchemes) {
    const Result<double> error = profile_error(scheme, cells, kNu);
    options.progress(std::string(kChannel) + ": " + scheme.name);
    checks.push_back(error ? judge_profile(*error, scheme.name)
                           : failed_run(kChannel, error.errors()));
  }
  const Result<double> wrong = profile_error(kSchemes[0], cells, 1.1 * kNu);
  checks.push_back(wrong ? must_fail(judge_profile(*wrong, "viscosity 10 % too large"))
                         : failed_run(kChannel, wrong.errors()));
  return checks;
}

}  // namespace firn
