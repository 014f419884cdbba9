// Implicit against explicit steps of the same length: two elastic disks that meet, FLIP with ratio
// 1. Both are of first order, and so is their difference: it falls by half with the steps.
#include <cmath>

#include "cases/implicit_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "implicit_order";
constexpr double kRadius = 0.2, kDensity = 1000, kModulus = 1e5, kSpeed = 0.5;
constexpr double kEnd = 0.4;  // s: pressed together, and on their way apart

using Places = std::vector<Vec3d>;

SceneSettings disks_scene(double spacing, IntegratorKind kind, double dt) {
  SceneSettings scene = case_scene(2, spacing, 1 / kEnd);
  scene.mpm.transfer = TransferKind::flip;
  scene.mpm.flip_ratio = 1;
  scene.integrator.kind = kind;
  scene.integrator.fixed_dt = dt;
  scene.integrator.tolerance = 1e-9;
  for (const double side : {1.0, -1.0}) {
    const int elastic = add_material(scene, elastic_material<NeoHookean>(kModulus, 0.3));
    add_ball(scene, elastic, kDensity, {{-0.25 * side, -0.05 * side, 0}}, kRadius).velocity = {
        {side * kSpeed, 0, 0}};
  }
  return scene;
}

Result<Places> places_after(double spacing, IntegratorKind kind, double dt) {
  const SceneSettings scene = disks_scene(spacing, kind, dt);
  const auto world = run_scene(scene, Precision::double_, 1);
  if (!world) return world.errors();
  return exact_places(**world, scene);
}

double distance(const Places& a, const Places& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i] - b[i], a[i] - b[i]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

Check judge_order(double coarse, double fine, const std::string& name) {
  const double order = std::log2(coarse / fine), off = std::abs(order - 1);
  return {kCase, "order in dt, " + name, order, 1, off, 0.15, off <= 0.15};
}

}  // namespace

std::vector<Check> validate_implicit_order(const ValidateOptions& options) {
  const double spacing = options.fine ? 0.025 : 0.05;
  const double longest = kEnd / (options.fine ? 512 : 256);
  std::vector<Check> checks;
  Places of_explicit[3];
  for (int k = 0; k < 3; ++k) {
    const auto places = places_after(spacing, IntegratorKind::explicit_, longest / (1 << k));
    if (!places) return {failed_run(kCase, places.errors())};
    of_explicit[k] = *places;
  }
  for (const auto& [kind, word] : kImplicitKinds) {
    Places of_implicit[3];
    for (int k = 0; k < 3; ++k) {
      const auto places = places_after(spacing, kind, longest / (1 << k));
      if (!places) return {failed_run(kCase, places.errors())};
      of_implicit[k] = *places;
      checks.push_back(report(kCase,
                              std::string("RMS distance from explicit, m, ") + word + ", dt / " +
                                  std::to_string(1 << k),
                              distance(of_implicit[k], of_explicit[k])));
    }
    const auto off = [&](int k) { return distance(of_implicit[k], of_explicit[k]); };
    checks.push_back(judge_order(off(0), off(1), std::string(word) + ", dt to dt / 2"));
    checks.push_back(judge_order(off(1), off(2), std::string(word) + ", dt / 2 to dt / 4"));
    if (kind == IntegratorKind::optimization)
      checks.push_back(
          must_fail(judge_order(off(0), off(2), "dt to dt / 4 taken for dt to dt / 2")));
    options.progress(word);
  }
  return checks;
}

}  // namespace firn
