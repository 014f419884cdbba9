// A bed of grains that fills a closed column sinks through water, which comes up through it: the
// weight under water, (1 - n) (rho_s - rho_w) g, is borne by the resistance R q of the bed, and the
// flux q is the speed.
#include <cmath>

#include "cases/porous_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "settling";
constexpr double kHeight = 1.2, kLow = 0.5, kHigh = 0.9, kStandard = 9.80665, kGravity = 9.81;
constexpr double kGrain = 2650, kWater = 1000, kViscosity = 1e-3;
constexpr double kFps = 50;

struct Bed {
  double porosity = 0.4, conductivity = 0.01, diameter = 0;  // by the diameter where it is not 0
  double spacing = 0.025;
};

SceneSettings bed_scene(const Bed& bed) {
  SceneSettings scene = case_scene(2, bed.spacing, kFps);
  const double width = 8 * bed.spacing;
  scene.gravity[1].value = -kGravity;
  scene.grid.periodic.axes[0] = Interval{0, width};
  const int sand = add_material(scene, elastic_material<NeoHookean>(1e5, 0.2));
  const int water = add_material(scene, case_water(4e6));
  add_box(scene, sand, (1 - bed.porosity) * kGrain, {{0, kLow, 0}}, {{width, kHigh, 0}}).species =
      kSandSpecies;
  // From the start the water under the bed bears it, or the whole column would ring.
  const double heights[] = {0, kLow, kHigh, kHeight};
  const double bed_weight = (1 - bed.porosity) * (kGrain - kWater) * kGravity * (kHigh - kLow);
  for (int part = 0; part < 3; ++part) {
    ObjectSettings& layer =
        add_box(scene, water, kWater, {{0, heights[part], 0}}, {{width, heights[part + 1], 0}});
    layer.species = kWaterSpecies;
    layer.initial_stress.emplace();
    layer.initial_stress->surface = kHeight;
    layer.initial_stress->surcharge = bed_weight * (2 - part) / 2;
  }
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate);
  PorousPair& pair = couple(scene, CouplingKind::mixture);
  pair.porosity = bed.porosity;
  if (bed.diameter > 0)
    pair.grain_diameter = bed.diameter;
  else
    pair.conductivity = bed.conductivity;
  return scene;
}

// m/s, downwards, from the way between two times: the column of water rings under the bed.
Result<double> speed_of(const Bed& bed, double from, double to) {
  double start = 0, end = 0;
  const auto record = [&](const World& world) {
    if (world.frame() == std::lround(from * kFps)) start = mean_of(world, 0).position[1];
    if (world.frame() == std::lround(to * kFps)) end = mean_of(world, 0).position[1];
  };
  const auto world = run_scene(bed_scene(bed), Precision::double_, std::lround(to * kFps), record);
  if (!world) return world.errors();
  return (start - end) / (to - from);
}

// Resistance of grains as docs/porous.md states it, Pa s/m^2.
double resistance_of(const Bed& bed, double flux) {
  if (!(bed.diameter > 0)) return kWater * kStandard / bed.conductivity;
  const double n = bed.porosity, solid = 1 - n, d = bed.diameter;
  const double packed =
      (180 * kViscosity * solid * solid / (d * d) + 1.75 * kWater * solid / d * flux) /
      std::pow(n, 3);
  const double single = 18 * kViscosity * solid / (d * d) *
                        (1 + 0.15 * std::pow(kWater * flux * d / kViscosity, 0.687)) *
                        std::pow(n, -4.65);
  return std::max(packed, single);
}
double theory(const Bed& bed) {
  const double weight = (1 - bed.porosity) * (kGrain - kWater) * kGravity;
  double low = 0, high = 100;
  for (int k = 0; k < 100; ++k) {
    const double flux = (low + high) / 2;
    (resistance_of(bed, flux) * flux < weight ? low : high) = flux;
  }
  return low;
}

}  // namespace

std::vector<Check> validate_settling(const ValidateOptions&) {
  std::vector<Check> checks;
  const auto judge = [&](const std::string& name, const Bed& bed, double from, double to,
                         double reference) {
    const auto speed = speed_of(bed, from, to);
    if (!speed) return failed_run(kCase, speed.errors());
    return relative_check(kCase, "speed, m/s, " + name, *speed, reference, 0.05);
  };
  const auto against_theory = [&](const std::string& name, const Bed& bed, double from, double to) {
    checks.push_back(judge(name, bed, from, to, theory(bed)));
    return checks.back().measured;
  };
  Bed block, slow, coarse, packed, loose;
  slow.conductivity = 0.003;
  coarse.spacing = 0.05;
  against_theory("conductivity 0.01", block, 0.5, 2.5);
  against_theory("conductivity 0.003", slow, 0.5, 2.5);
  const auto rough = speed_of(coarse, 0.5, 2.5);  // eight cells of bed
  if (!rough) return {failed_run(kCase, rough.errors())};
  checks.push_back(report(kCase, "speed, m/s, cells twice as large", *rough, theory(coarse)));
  packed.diameter = loose.diameter = 1e-3;
  loose.porosity = 0.9;
  const double bed = against_theory("grains of 1 mm, packed", packed, 0.5, 2.5);
  const double cloud = against_theory("grains of 1 mm, a tenth of the room", loose, 0.5, 1.5);
  checks.push_back(limit_check(kCase, "packed over loose", bed / cloud, 0.5));
  checks.push_back(must_fail(judge("weight not under water", block, 0.5, 2.5,
                                   0.01 * (1 - block.porosity) * kGrain / kWater)));
  return checks;
}

}  // namespace firn
