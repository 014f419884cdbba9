// Terzaghi's consolidation: a saturated column under a load that it gets at once. The water bears
// it first, and gives it to the sand as it drains through the top: the settlement follows
// U = 1 - sum 2/m^2 exp(-m^2 T), m = pi (k + 1/2), T = c_v t / H^2, c_v = K M / (rho_w g).
#include <cmath>

#include "cases/porous_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "terzaghi";
constexpr double kHeight = 1, kModulus = 1e5, kDensity = 1000, kStandard = 9.80665;
constexpr double kLoad = 0.01 * kModulus, kPull = 0.1;  // Pa; m/s^2
constexpr double kConsolidation = 0.2;                  // c_v, m^2/s
constexpr double kFps = 50;

// The load is the weight of a dry, heavy plate in a weak gravity. Grains weigh as much as water, so
// that nothing else loads them.
SceneSettings column_scene(double spacing, double factor) {
  SceneSettings scene = case_scene(2, spacing, kFps);
  const double width = 8 * spacing, plate = 0.1;
  scene.gravity[1].value = -kPull;
  scene.grid.periodic.axes[0] = Interval{0, width};
  const int sand = add_material(scene, elastic_material<NeoHookean>(kModulus, 0));
  const int stiff = add_material(scene, elastic_material<NeoHookean>(20 * kModulus, 0));
  const int water = add_material(scene, case_water(40 * kModulus));
  add_box(scene, sand, 0.6 * kDensity, {{0, 0, 0}}, {{width, kHeight, 0}}).species = kSandSpecies;
  add_box(scene, stiff, kLoad / (plate * kPull), {{0, kHeight, 0}}, {{width, kHeight + plate, 0}})
      .species = kSandSpecies;
  ObjectSettings& pores = add_box(scene, water, kDensity, {{0, 0, 0}}, {{width, kHeight, 0}});
  pores.species = kWaterSpecies;
  pores.initial_stress.emplace();
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::slip);
  couple(scene, CouplingKind::mixture).conductivity =
      factor * kConsolidation * kDensity * kStandard / kModulus;
  return scene;
}

double consolidated(double T) {
  double left = 0;
  for (int k = 0; k < 50; ++k) {
    const double m = M_PI * (k + 0.5);
    left += 2 / (m * m) * std::exp(-m * m * T);
  }
  return 1 - left;
}
// Mean excess pressure between two heights over the load.
double pressure_left(double T, double low, double high) {
  double sum = 0;
  for (int k = 0; k < 50; ++k) {
    const double m = M_PI * (k + 0.5), top = k % 2 == 0 ? 1 : -1;
    sum += 2 / (m * m) * top * std::exp(-m * m * T) * (std::sin(m * high) - std::sin(m * low)) /
           (high - low);
  }
  return sum;
}

struct Settling {
  std::vector<double> degree, pressure[4];  // by frame; in quarters of the height
};

Result<Settling> settle(double spacing, double factor, double seconds) {
  Settling found;
  double start = 0;
  const auto record = [&](const World& world) {
    const double plate =
        mean_of(world, 0, [](const Vec3d& x) { return x[1] > kHeight + 0.02; }).position[1];
    if (world.frame() == 0) start = plate;
    found.degree.push_back((start - plate) / (kLoad * kHeight / kModulus));
    for (int q = 0; q < 4; ++q) {
      const SpeciesMean mean =
          mean_of(world, 1, [&](const Vec3d& x) { return static_cast<int>(x[1] * 4) == q; });
      const double at_rest = kDensity * kPull * (kHeight - mean.position[1]);
      found.pressure[q].push_back((mean.pressure - at_rest) / kLoad);
    }
  };
  const auto world = run_scene(column_scene(spacing, factor), Precision::double_,
                               std::lround(seconds * kFps), record);
  if (!world) return world.errors();
  return found;
}

}  // namespace

std::vector<Check> validate_terzaghi(const ValidateOptions& options) {
  const double scale = kHeight * kHeight / kConsolidation;  // s for T = 1
  const double spacing = options.fine ? 0.025 : 0.05;
  std::vector<Check> checks;
  const auto found = settle(spacing, 1, 0.86 * scale);
  if (!found) return {failed_run(kCase, found.errors())};
  const auto frame_of = [&](double T) { return std::size_t(std::lround(T * scale * kFps)); };
  for (const double T : {0.197, 0.848})
    checks.push_back(relative_check(kCase, "degree of consolidation at T = " + short_number(T),
                                    found->degree[frame_of(T)], consolidated(T), 0.05));
  for (int q = 0; q < 4; ++q)
    checks.push_back(relative_check(
        kCase, "pressure over load at T = 0.197, quarter " + std::to_string(q + 1) + " from below",
        found->pressure[q][frame_of(0.197)], pressure_left(0.197, q / 4.0, (q + 1) / 4.0),
        q == 3 ? 0.1 : 0.05));
  const auto open = settle(spacing, 2, 0.2 * scale);
  if (!open) return {failed_run(kCase, open.errors())};
  checks.push_back(
      must_fail(relative_check(kCase, "twice as permeable, at T = 0.197",
                               open->degree[frame_of(0.197)], consolidated(0.197), 0.05)));
  return checks;
}

}  // namespace firn
