// Species that share a place: with drag at its limit they are as one, and free ones come to rest
// against each other as the equations say.
#include <algorithm>
#include <cmath>
#include <map>

#include "cases/case_tools.h"
#include "scene/defaults.h"

namespace firn {
namespace {

constexpr const char* kCase = "drag_limit";
constexpr double kSpacing = 0.05, kFps = 100;

// A block of jelly and one of water cross each other above a floor.
SceneSettings crossing(int dimension, KernelKind kernel, TransferKind transfer) {
  SceneSettings scene = case_scene(dimension, kSpacing, kFps);
  scene.gravity[1].value = -9.81;
  scene.mpm.kernel = kernel;
  scene.mpm.transfer = transfer;
  const int jelly = add_material(scene, elastic_material<NeoHookean>(2e4, 0.3));
  Fluid::Parameters water;
  water.bulk_modulus = 2e4;
  const int fluid = add_material(scene, water);
  add_box(scene, jelly, 800, {{0, 0.03, 0}}, {{0.3, 0.33, 0.3}}).velocity[0].value = 1;
  add_box(scene, fluid, 1000, {{0.2, 0.03, 0}}, {{0.5, 0.33, 0.3}}).velocity[0].value = -1;
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate, 0.3);
  fill_defaults(scene);
  return scene;
}

void split(SceneSettings& scene, CouplingKind coupling, double drag) {
  scene.objects[1].species = "water";
  scene.porous.emplace();
  scene.porous->coupling = coupling;
  scene.porous->pairs.push_back({"default", "water", drag});
}

// Largest difference of what particles have, relative to the largest value of the column: places,
// velocities, deformations, stresses.
constexpr double kRounding = 1e-9;

Result<double> difference(const SceneSettings& one, const SceneSettings& two, int frames) {
  StateImage images[2];
  const SceneSettings* scenes[] = {&one, &two};
  for (int k = 0; k < 2; ++k) {
    const auto world = run_scene(*scenes[k], Precision::double_, frames);
    if (!world) return world.errors();
    images[k] = (*world)->save();
  }
  // Components of one quantity are measured by the largest of them.
  std::map<std::string, std::pair<double, double>> gaps;
  for (const auto& [name, column] : images[0].arrays) {
    const auto* a = std::get_if<std::vector<double>>(&column);
    if (!a || !name.starts_with("set")) continue;
    const auto& b = std::get<std::vector<double>>(images[1].arrays.at(name));
    auto& [gap, scale] = gaps[name.substr(0, name.find_last_not_of("0123456789") + 1)];
    for (std::size_t i = 0; i < a->size(); ++i) {
      gap = std::max(gap, std::abs((*a)[i] - b[i]));
      scale = std::max(scale, std::abs((*a)[i]));
    }
  }
  double most = 0;
  for (const auto& [name, found] : gaps)
    if (found.second > 0) most = std::max(most, found.first / found.second);
  return most;
}

std::string name_of(int dimension, KernelKind kernel, TransferKind transfer) {
  const char* kernels[] = {"linear", "quadratic", "cubic"};
  const char* transfers[] = {"mls", "apic", "flip", "pic"};
  return std::to_string(dimension) + "D " + transfers[static_cast<int>(transfer)] + " " +
         kernels[static_cast<int>(kernel)];
}

void judge_limit(int dimension, KernelKind kernel, TransferKind transfer,
                 std::vector<Check>& checks) {
  constexpr int kFrames = 5;
  const SceneSettings one = crossing(dimension, kernel, transfer);
  SceneSettings two = one, loose = one;
  split(two, CouplingKind::limit, 1);
  split(loose, CouplingKind::implicit, 1);
  const auto gap = difference(one, two, kFrames);
  if (!gap) return checks.push_back(failed_run(kCase, gap.errors()));
  const std::string name = name_of(dimension, kernel, transfer);
  checks.push_back(limit_check(kCase, "from one species, relative, " + name, *gap, kRounding));
  if (kernel != KernelKind::quadratic) return;
  SceneSettings plain = one;
  plain.colliders[0].contact = ContactKind::sticky;  // mirrors and memories are of each species
  std::get<Fluid::Parameters>(plain.materials[1].parameters).volume_correction = false;
  SceneSettings strong = plain;
  split(strong, CouplingKind::implicit, 1e30);
  const auto near = difference(plain, strong, kFrames);
  if (!near) return checks.push_back(failed_run(kCase, near.errors()));
  checks.push_back(limit_check(kCase, "with drag 1e30, relative, " + name, *near, kRounding));
  const auto far = difference(one, loose, kFrames);
  if (!far) return checks.push_back(failed_run(kCase, far.errors()));
  checks.push_back(
      must_fail(limit_check(kCase, "with little drag, relative, " + name, *far, kRounding)));
}

// Two bodies in the same place, everywhere, without stress: dv' = -c (m_a + m_b) dv at nodes.
struct Meeting {
  double left = 0, momentum = 0, mass_error = 0;
};
Result<Meeting> meet(double drag, double dt, CouplingKind coupling) {
  SceneSettings scene = case_scene(2, kSpacing, kFps);
  for (int a = 0; a < 2; ++a) scene.grid.periodic.axes[a] = Interval{0, 24 * kSpacing};
  const int soft = add_material(scene, elastic_material<NeoHookean>(1e-3, 0));
  for (const double side : {1.0, -1.0})
    add_box(scene, soft, side > 0 ? 1500 : 1000, {{0, 0, 0}}, {{24 * kSpacing, 24 * kSpacing, 0}})
        .velocity[0]
        .value = side;
  split(scene, coupling, drag);
  scene.integrator.fixed_dt = dt;
  fill_defaults(scene);
  std::vector<FrameStats> stats;
  const auto world = run_scene(scene, Precision::double_, 1,
                               [&](const World& w) { stats.push_back(w.statistics()); });
  if (!world) return world.errors();
  const PointTable table = (*world)->snapshot({"velocity"});
  const auto vx = table.as_double("vx");
  const std::size_t half = table.count / 2;
  double sum[2] = {0, 0};
  for (std::size_t i = 0; i < table.count; ++i) sum[i < half ? 0 : 1] += vx[i];
  return Meeting{(sum[0] - sum[1]) / double(half) / 2, stats[1].momentum[0] - stats[0].momentum[0],
                 (stats[1].mass - stats[0].mass) / stats[0].mass};
}

void judge_meeting(std::vector<Check>& checks) {
  constexpr double kNodeMass = (1000 + 1500) * kSpacing * kSpacing;  // of both
  constexpr double kDrag = 20 / kNodeMass;                           // falls by e in 50 ms
  for (const double dt : {5e-3, 1e-3, 2e-4}) {
    const auto found = meet(kDrag, dt, CouplingKind::implicit);
    if (!found) return checks.push_back(failed_run(kCase, found.errors()));
    const double steps = std::round(1 / (kFps * dt));
    const std::string name = ", dt = " + short_number(dt);
    checks.push_back(relative_check(kCase, "difference of velocities left" + name, found->left,
                                    std::pow(1 + 20 * dt, -steps), 1e-6));
    if (dt == 2e-4)
      checks.push_back(relative_check(kCase, "the same against exp(-t/T)", found->left,
                                      std::exp(-20 / kFps), 1e-3));
    checks.push_back(
        limit_check(kCase, "momentum, change in kg m/s" + name, std::abs(found->momentum), 1e-9));
    checks.push_back(limit_check(kCase, "mass, change" + name, std::abs(found->mass_error), 1e-15));
  }
}

}  // namespace

std::vector<Check> validate_drag_limit(const ValidateOptions&) {
  std::vector<Check> checks;
  for (const int dimension : {2, 3})
    for (const KernelKind kernel : {KernelKind::linear, KernelKind::quadratic, KernelKind::cubic})
      for (const TransferKind transfer : {TransferKind::mls, TransferKind::apic, TransferKind::pic})
        judge_limit(dimension, kernel, transfer, checks);
  judge_meeting(checks);
  return checks;
}

}  // namespace firn
