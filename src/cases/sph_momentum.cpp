// Grains that fly into each other without walls and gravity: momentum stays to round-off, and
// friction takes energy in every step.
#include <algorithm>
#include <cmath>

#include "cases/sph_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "sph_momentum";

struct Findings {
  double momentum = 0;  // largest change of a component, over mass x speed
  double gain = 0;      // largest gain of kinetic energy in a step, over that at the start
  double left = 0;      // of the kinetic energy in the end
};

Result<Findings> watch(int dimension, double gravity) {
  constexpr int kSteps = 120;
  SceneSettings scene = sph_scene(dimension, 0.05, 25, 35);
  scene.gravity = {{0, -gravity, 0}};
  const double depth = dimension == 3 ? 0.2 : 0;
  add_box(scene, 0, kSphDensity, {{0, 0, 0}}, {{0.3, 0.3, depth}}).velocity = {{1, 0.2, 0}};
  add_box(scene, 0, kSphDensity, {{0.35, 0.1, 0}}, {{0.65, 0.4, depth}}).velocity = {{-1, 0, 0}};
  auto world = World::create(scene, Precision::double_);
  if (!world) return world.errors();
  const FrameStats start = (*world)->statistics();
  double kinetic = start.kinetic;
  Findings found;
  for (int step = 0; step < kSteps; ++step) {
    const Result<double> taken = (*world)->advance_step();
    if (!taken) return taken.errors();
    const FrameStats now = (*world)->statistics();
    for (int a = 0; a < 3; ++a)
      found.momentum =
          std::max(found.momentum, std::abs(now.momentum[a] - start.momentum[a]) / start.mass);
    found.gain = std::max(found.gain, (now.kinetic - kinetic) / start.kinetic);
    kinetic = now.kinetic;
  }
  found.left = kinetic / start.kinetic;
  return found;
}

std::vector<Check> judge(int dimension, double gravity, const std::string& how) {
  const Result<Findings> found = watch(dimension, gravity);
  if (!found) return {failed_run(kCase, found.errors())};
  const std::string where = ", " + std::to_string(dimension) + "D" + how;
  return {limit_check(kCase, "change of momentum / (mass x 1 m/s)" + where, found->momentum, 1e-12),
          limit_check(kCase, "gain of energy in a step / that at the start" + where, found->gain,
                      1e-12),
          limit_check(kCase, "energy left" + where, found->left, 0.9)};
}

}  // namespace

std::vector<Check> validate_sph_momentum(const ValidateOptions&) {
  std::vector<Check> checks;
  for (const int dimension : {2, 3})
    for (Check& check : judge(dimension, 0, "")) checks.push_back(std::move(check));
  std::vector<Check> control = judge(2, 0.1, ", gravity of 0.1 m/s2");
  checks.push_back(must_fail(control.front()));
  if (control.size() > 1) checks.push_back(must_fail(control[1]));
  return checks;
}

}  // namespace firn
