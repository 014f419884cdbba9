// A bar of snow hangs from a clamp, its weight setting in over a second. The stress at the clamp is
// rho g L; snow yields at a stretch of theta_s, which in plane strain with free sides is a stress
// of E theta_s / (1 - nu^2).
#include <algorithm>
#include <cmath>

#include "cases/granular_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "hanging_bar";
constexpr double kGravity = 9.81, kDensity = 400, kFps = 10;
constexpr double kOnset = 1, kSeconds = 3;

struct HangingBar {
  double length = 0.25;  // m
  int cells = 40;        // along it
  Snow::Parameters snow;
};

double limit_length(const Snow::Parameters& snow) {
  return snow.youngs_modulus * snow.critical_stretch / (1 - square(snow.poisson_ratio)) /
         (kDensity * kGravity);
}

// How far the lower end sinks, over the length.
Result<double> sag(const HangingBar& bar) {
  const double h = bar.length / bar.cells, half_width = 4 * h, clamped = 4 * h;
  SceneSettings scene = case_scene(2, h, kFps);
  scene.gravity = {{0, -kGravity, 0}};
  add_box(scene, add_material(scene, bar.snow), kDensity, {{-half_width, -bar.length, 0}},
          {{half_width, clamped, 0}});
  // What is inside does not move.
  ColliderSettings& clamp = add_plane(scene, {{0, 1e-6 * h, 0}}, {{0, -1, 0}}, ContactKind::pin);
  clamp.name = "clamp";
  auto world = World::create(scene, Precision::double_);
  if (!world) return world.errors();
  (*world)->set_body_force([](const Vec3d&, double t) {
    return Vec3d{{0, std::max(kGravity * (1 - t / kOnset), 0.0), 0}};
  });
  const auto start = (*world)->snapshot({}).as_double("y");
  Errors errors = run_frames(**world, std::lround(kSeconds * kFps));
  if (!errors.empty()) return errors;
  const auto end = (*world)->snapshot({}).as_double("y");
  double fall = 0;
  for (std::size_t i = 0; i < start.size(); ++i)
    if (start[i] < h - bar.length) fall = std::max(fall, start[i] - end[i]);
  return fall / bar.length;
}

}  // namespace

std::vector<Check> validate_hanging_bar(const ValidateOptions& options) {
  // Elastically it stretches by half of theta_s, and yields a little near the corners of the clamp.
  constexpr double kHolds = 0.02, kBreaks = 0.2;
  const auto hang = [&](double length, double toughness) {
    HangingBar bar;
    bar.length = length;
    bar.cells = options.fine ? 80 : 40;
    bar.snow.critical_stretch *= toughness;
    return sag(bar);
  };
  std::vector<Check> checks = {
      report(kCase, "length that its strength bears, m", limit_length(Snow::Parameters()), 0.28)};
  const auto judge = [&](double length, double toughness, bool holds, const std::string& name) {
    const Result<double> sunk = hang(length, toughness);
    if (!sunk) return failed_run(kCase, sunk.errors());
    return holds ? limit_check(kCase, "sag / length, " + name, *sunk, kHolds)
                 : at_least_check(kCase, "sag / length, " + name, *sunk, kBreaks);
  };
  checks.push_back(judge(0.25, 1, true, "0.25 m holds"));
  checks.push_back(judge(0.31, 1, false, "0.31 m breaks"));
  const Check control = judge(0.25, 0.8, true, "0.25 m with four fifths of the strength");
  checks.push_back(control.tolerance > 0 ? must_fail(control) : control);
  return checks;
}

}  // namespace firn
