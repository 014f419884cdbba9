// Rotating body: an elastic body spins freely. Its angular momentum is constant; what each transfer
// does to its energy is reported.
#include <cmath>

#include "cases/case_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "rotating_body";
constexpr double kTurns = 2;
constexpr double kRate = 2 * 180;  // degrees/s: one turn a second
constexpr double kFps = 20;
constexpr const char* kTransfers[] = {"mls", "apic", "flip", "pic"};

struct Spin {
  double momentum_drift = 0;  // largest, relative
  double energy_drift = 0;    // of kinetic and elastic energy at the end, relative
};

// A plank in 2D, a brick in 3D, off the origin so that nothing cancels by symmetry.
SceneSettings spinning_scene(int dimension, TransferKind transfer, bool fine) {
  SceneSettings scene = case_scene(dimension, (dimension == 2 ? 0.05 : 0.1) / (fine ? 2 : 1), kFps);
  scene.mpm.transfer = transfer;
  const int rubber = add_material(scene, elastic_material<NeoHookean>(1e5, 0.3));
  ObjectSettings& body =
      add_box(scene, rubber, 1000, {{0.8, 0.3, 0.2}}, {{1.5, 0.7, dimension == 2 ? 0.2 : 0.5}});
  body.angular_velocity = dimension == 2 ? Vec3d{{0, 0, kRate}} : Vec3d{{100, 50, kRate}};
  return scene;
}

Result<Spin> spin(const SceneSettings& scene) {
  Spin spin;
  FrameStats start;
  const auto record = [&](const World& world) {
    const FrameStats now = world.statistics();
    if (now.frame == 0) start = now;
    const Vec3d change = now.angular_momentum - start.angular_momentum;
    const double size = std::sqrt(dot(start.angular_momentum, start.angular_momentum));
    spin.momentum_drift = std::max(spin.momentum_drift, std::sqrt(dot(change, change)) / size);
    const double energy = start.kinetic + start.elastic;
    spin.energy_drift = (now.kinetic + now.elastic - energy) / energy;
  };
  const double seconds = kTurns * 360 / kRate;
  const auto world = run_scene(scene, Precision::double_,
                               static_cast<std::int64_t>(std::lround(seconds * kFps)), record);
  if (!world) return world.errors();
  return spin;
}

Check judge_momentum(const Spin& spin, const std::string& name) {
  return limit_check(kCase, "angular momentum, relative drift over 2 turns, " + name,
                     spin.momentum_drift, 1e-11);
}

}  // namespace

std::vector<Check> validate_rotating_body(const ValidateOptions& options) {
  std::vector<Check> checks;
  for (int dimension = 2; dimension <= 3; ++dimension)
    for (int t = 0; t < 4; ++t) {
      const auto transfer = static_cast<TransferKind>(t);
      const bool conserves = transfer == TransferKind::mls || transfer == TransferKind::apic;
      const Result<Spin> found = spin(spinning_scene(dimension, transfer, options.fine));
      if (!found) {
        checks.push_back(failed_run(kCase, found.errors()));
        continue;
      }
      const std::string name = std::string(kTransfers[t]) + " " + std::to_string(dimension) + "D";
      const Check judged = judge_momentum(*found, name);
      if (conserves)
        checks.push_back(judged);
      else if (transfer == TransferKind::pic)
        checks.push_back(must_fail(judged));
      else
        checks.push_back(report(kCase, judged.quantity, judged.measured));
      checks.push_back(
          report(kCase, "energy, relative change over 2 turns, " + name, found->energy_drift));
    }
  return checks;
}

}  // namespace firn
