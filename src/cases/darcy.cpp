// Darcy's law: a channel that repeats, a plug of sand in its middle that is held, and water that
// gravity drives along. The plug takes the whole head, so that the flux is K i with i = (length of
// the channel / length of the plug) x (driving gravity / g).
#include <cmath>

#include "cases/porous_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "darcy";
constexpr double kLength = 0.8, kPlug = 0.4, kStandard = 9.80665;
constexpr double kHead = 0.2;  // i in the plug
// Pressure diffuses through the plug within kPlug^2 rho g / (K modulus): 0.8 s at K = 1 mm/s.
constexpr double kModulus = 2e6;
constexpr double kFps = 10, kSeconds = 3;

struct Flow {
  CouplingKind coupling = CouplingKind::mixture;
  double conductivity = 0.01, spacing = 0.025;
  int per_cell = 4;
  double permeability = 0, diameter = 0;  // in the place of it
};

SceneSettings channel(const Flow& flow) {
  SceneSettings scene = case_scene(2, flow.spacing, kFps);
  const double width = 8 * flow.spacing;
  scene.gravity[0].value = kHead * kStandard * kPlug / kLength;
  scene.grid.periodic.axes[0] = Interval{0, kLength};
  scene.grid.periodic.axes[1] = Interval{0, width};
  const int sand = add_material(scene, elastic_material<NeoHookean>(1e5, 0.2));
  const int water = add_material(scene, case_water(kModulus));
  const double begin = (kLength - kPlug) / 2;
  add_box(scene, sand, 1600, {{begin, 0, 0}}, {{begin + kPlug, width, 0}}).species = kSandSpecies;
  ObjectSettings& body = add_box(scene, water, 1000, {{0, 0, 0}}, {{kLength, width, 0}});
  body.species = kWaterSpecies;
  for (ObjectSettings& object : scene.objects) object.sampling.particles_per_cell = flow.per_cell;
  ColliderSettings& hold = add_container(scene, {{-9, -9, 0}}, {{-8, -8, 0}}, ContactKind::pin);
  hold.species = kSandSpecies;
  PorousPair& pair = couple(scene, flow.coupling);
  if (flow.permeability > 0)
    pair.permeability = flow.permeability;
  else if (flow.diameter > 0)
    pair.grain_diameter = flow.diameter;
  else
    pair.conductivity = flow.conductivity;
  return scene;
}

// Flux through the open part of the channel, m/s, over the last third of the time.
Result<double> flux_of(const Flow& flow) {
  double sum = 0;
  int count = 0;
  const auto record = [&](const World& world) {
    if (world.frame() < 2 * kSeconds * kFps / 3) return;
    sum += mean_of(world, 1, [](const Vec3d& x) {
             return std::abs(x[0] - kLength / 2) > 0.3;
           }).velocity[0];
    ++count;
  };
  const auto world =
      run_scene(channel(flow), Precision::double_, std::lround(kSeconds * kFps), record);
  if (!world) return world.errors();
  return sum / count;
}

Check judge(const Flow& flow, const std::string& name, double reference) {
  const auto flux = flux_of(flow);
  if (!flux) return failed_run(kCase, flux.errors());
  return relative_check(kCase, "flux, m/s, " + name, *flux, reference, 0.05);
}

}  // namespace

std::vector<Check> validate_darcy(const ValidateOptions&) {
  std::vector<Check> checks;
  const auto both = [&](const std::string& name, Flow flow, double reference) {
    flow.coupling = CouplingKind::mixture;
    checks.push_back(judge(flow, name, reference));
    flow.coupling = CouplingKind::implicit;
    checks.push_back(judge(flow, name + ", overlapping", reference));
  };
  for (const double k : {0.02, 0.005, 0.001}) {
    Flow flow;
    flow.conductivity = k;
    both("conductivity " + short_number(k), flow, k * kHead);
  }
  Flow coarse, dense, permeable, grains;
  coarse.spacing = 0.05;
  both("cells twice as large", coarse, 0.01 * kHead);
  dense.per_cell = 9;
  both("nine particles a cell", dense, 0.01 * kHead);
  permeable.permeability = 0.01 * 1e-3 / (1000 * kStandard);  // the same in water
  both("permeability", permeable, 0.01 * kHead);
  // Kozeny and Carman at a porosity of 0.4, with Ergun's term: i = a q + b q^2.
  grains.diameter = 1e-3;
  const double n = 0.4, d = grains.diameter, g = 1000 * kStandard;
  const double a = 180 * 1e-3 * (1 - n) * (1 - n) / (n * n * n * d * d) / g;
  const double b = 1.75 * 1000 * (1 - n) / (n * n * n * d) / g;
  both("grains of 1 mm", grains, (std::sqrt(a * a + 4 * b * kHead) - a) / (2 * b));
  Flow tight;
  tight.conductivity = 0.011;
  checks.push_back(must_fail(judge(tight, "a tenth more conductive", 0.01 * kHead)));
  return checks;
}

}  // namespace firn
