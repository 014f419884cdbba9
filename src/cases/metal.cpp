// Metal: a block pressed between smooth plates yields where the hardening law says, free to spread
// in one direction (plane strain, 2D) or in both (3D); a copper bar shot at a rigid wall (Taylor
// test) ends as short and as wide as published.
#include <algorithm>
#include <cmath>

#include "cases/case_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "metal";

// --- The pressed block.
constexpr double kEdge = 1, kPressSpeed = 0.4, kPressStrain = 0.06;  // m, m/s

VonMises::Parameters pressed_metal() {
  VonMises::Parameters metal;
  metal.youngs_modulus = 4e6;
  metal.poisson_ratio = 0.3;
  metal.yield_stress = 2e4;
  metal.hardening_modulus = 4e4;
  metal.voce_stress = 1e4;
  metal.voce_rate = 20;
  return metal;
}

double yield_stress(const VonMises::Parameters& metal, double q) {
  return metal.yield_stress + metal.hardening_modulus * q +
         metal.voce_stress * (1 - std::exp(-metal.voce_rate * q));
}

// The stress along the press at a logarithmic strain. Uniaxial: s = Y(q), q = e - s / E. In plane
// strain flow goes on with half of the stress across, so that s = 2/sqrt(3) Y(q) and
// q = 2/sqrt(3) (e - s (1 - nu/2) / E).
double exact_stress(const VonMises::Parameters& metal, double strain, int dimension) {
  const double factor = dimension == 2 ? 2 / std::sqrt(3.0) : 1;
  const double elastic = dimension == 2 ? 1 - metal.poisson_ratio / 2 : 1;
  double stress = metal.yield_stress;
  for (int n = 0; n < 100; ++n)
    stress =
        factor * yield_stress(metal, factor * (strain - elastic * stress / metal.youngs_modulus));
  return stress;
}

struct Pressed {
  double stress = 0, strain = 0;  // means over the block along the press; compression positive
};

// Logarithmic strain by the line that fits heights now against those at the start.
double fitted_strain(const std::vector<double>& start, const std::vector<double>& now) {
  double mean = 0, mean_now = 0, xx = 0, xy = 0;
  const auto n = static_cast<double>(start.size());
  for (std::size_t i = 0; i < start.size(); ++i) {
    mean += start[i] / n;
    mean_now += now[i] / n;
  }
  for (std::size_t i = 0; i < start.size(); ++i) {
    xx += (start[i] - mean) * (start[i] - mean);
    xy += (start[i] - mean) * (now[i] - mean_now);
  }
  return -std::log(xy / xx);
}

Result<Pressed> press(const VonMises::Parameters& metal, int dimension, bool fine) {
  const double spacing = kEdge / (fine ? 20 : 12);
  const double travel = kEdge * (1 - std::exp(-kPressStrain)), seconds = travel / kPressSpeed;
  SceneSettings scene = case_scene(dimension, spacing, 1 / seconds);
  const double half = kEdge / 2;
  add_box(scene, add_material(scene, metal), 1000, {{-half, 0, -half}}, {{half, kEdge, half}})
      .velocity = {{0, -kPressSpeed / 2, 0}};
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate);
  ColliderSettings& top = add_plane(scene, {{0, kEdge, 0}}, {{0, -1, 0}}, ContactKind::separate);
  top.motion.emplace();
  top.motion->translation[1] = {0, "-" + short_number(kPressSpeed) + "*t"};
  std::vector<double> start;
  Pressed pressed;
  const auto look = [&](const World& world) {
    const PointTable frame = world.snapshot({"stress"});
    const auto y = frame.as_double("y"), stress = frame.as_double("stress_yy");
    if (start.empty()) start = y;
    pressed = {0, fitted_strain(start, y)};
    for (const double s : stress) pressed.stress -= s / double(stress.size());
  };
  const auto world = run_scene(scene, Precision::double_, 1, look);
  if (!world) return world.errors();
  return pressed;
}

void judge_press(const ValidateOptions& options, int dimension, std::vector<Check>& checks) {
  const std::string name = dimension == 2 ? "plane strain, 2D" : "uniaxial, 3D";
  const VonMises::Parameters metal = pressed_metal();
  const auto judge = [&](const VonMises::Parameters& used, const std::string& what) {
    const Result<Pressed> block = press(used, dimension, options.fine);
    if (!block) return failed_run(kCase, block.errors());
    options.progress(what + ": " + short_number(block->stress) + " Pa at a strain of " +
                     short_number(block->strain));
    return relative_check(kCase, "stress of a pressed block, Pa, " + what, block->stress,
                          exact_stress(metal, block->strain, dimension), 0.02);
  };
  checks.push_back(judge(metal, name));
  VonMises::Parameters hard = metal;
  hard.yield_stress *= 1.1;
  checks.push_back(must_fail(judge(hard, name + ", yield stress 10 % too high")));
}

// --- Taylor's bar: copper at 227 m/s against a smooth wall. Converged finite elements end 21.42 mm
// long and 7.22 mm in radius (docs/validation.md says whose).
constexpr double kBarLength = 32.4e-3, kBarRadius = 3.2e-3, kBarSpeed = 227;  // m, m/s
constexpr double kFinalLength = 21.42e-3, kFinalRadius = 7.22e-3;
constexpr double kBarTime = 80e-6;  // s

struct Bar {
  double length = 0, radius = 0;  // m
};

Result<Bar> shoot_bar(const VonMises::Parameters& copper, int cells_in_radius) {
  const double spacing = kBarRadius / cells_in_radius;
  SceneSettings scene = case_scene(3, spacing, 1 / kBarTime);
  add_box(scene, add_material(scene, copper), 8930, {{-kBarRadius, 0, -kBarRadius}},
          {{kBarRadius, kBarLength, kBarRadius}})
      .velocity = {{0, -kBarSpeed, 0}};
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate);
  Result<std::vector<ObjectParticles>> objects = initial_particles(scene);
  if (!objects) return objects.errors();
  std::erase_if(objects->front().position,
                [](const Vec3d& x) { return x[0] * x[0] + x[2] * x[2] > kBarRadius * kBarRadius; });
  auto world = World::create_from_particles(scene, std::move(*objects), Precision::single);
  if (!world) return world.errors();
  const Errors errors = run_frames(**world, 1);
  if (!errors.empty()) return errors;
  const PointTable frame = (*world)->snapshot({});
  const auto x = frame.as_double("x"), y = frame.as_double("y"), z = frame.as_double("z");
  double low = INFINITY, high = 0, radius = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    low = std::min(low, y[i]);
    high = std::max(high, y[i]);
    radius = std::max(radius, std::hypot(x[i], z[i]));
  }
  // Particles lie a quarter of a cell inside the surface.
  return Bar{high - low + 0.5 * spacing, radius + 0.25 * spacing};
}

void judge_bar(const ValidateOptions& options, std::vector<Check>& checks) {
  VonMises::Parameters copper;
  copper.youngs_modulus = 1.17e11;
  copper.poisson_ratio = 0.35;
  copper.yield_stress = 4e8;
  copper.hardening_modulus = 1e8;
  const int cells = options.fine ? 8 : 6;
  const auto judge = [&](const VonMises::Parameters& used, const std::string& what, bool control) {
    const Result<Bar> bar = shoot_bar(used, cells);
    if (!bar) return checks.push_back(failed_run(kCase, bar.errors()));
    options.progress(what + ": " + short_number(1e3 * bar->length) + " mm long, " +
                     short_number(1e3 * bar->radius) + " mm in radius");
    Check length = relative_check(kCase, "final length of a Taylor bar, m, " + what, bar->length,
                                  kFinalLength, 0.015);
    checks.push_back(control ? must_fail(length) : length);
    if (!control)
      checks.push_back(relative_check(kCase, "final radius of its foot, m, " + what, bar->radius,
                                      kFinalRadius, 0.05));
  };
  judge(copper, "copper at 227 m/s", false);
  copper.yield_stress = 3e8;
  judge(copper, "yield stress 300 in place of 400 MPa", true);
}

}  // namespace

std::vector<Check> validate_metal(const ValidateOptions& options) {
  std::vector<Check> checks;
  judge_press(options, 2, checks);
  judge_press(options, 3, checks);
  judge_bar(options, checks);
  return checks;
}

}  // namespace firn
