// A long slope of sand that is full of water, which seeps along it. The water bears its own weight
// into the slope, and hands on to the sand what pulls it down: sand of the submerged density rho'
// carries the shear of all, rho_sat. The slope stands up to tan = rho' / rho_sat sin(phi), and dry
// up to tan = sin(phi) (infinite_slope.cpp).
#include <cmath>

#include "cases/granular_tools.h"
#include "cases/porous_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "saturated_slope";
constexpr double kGravity = 9.81, kFriction = 35;  // m/s^2, degrees
constexpr double kGrains = 2650, kWater = 1000, kPorosity = 0.4;
constexpr double kDry = (1 - kPorosity) * kGrains, kFull = kDry + kPorosity * kWater;
constexpr double kSubmerged = kFull - kWater;         // kg/m^3
constexpr double kDepth = 0.4;                        // m
constexpr double kFrom = 0.75, kTo = 1.5, kFps = 20;  // s: what is measured
constexpr double kStands = 2e-3;                      // m/s

enum class Pores { dry, full };

// The floor lies along the grid, and gravity is tilted.
SceneSettings slope_scene(double angle, Pores pores, int cells) {
  const double spacing = kDepth / cells, theta = angle * kDegree;
  SceneSettings scene = case_scene(2, spacing, kFps);
  scene.gravity = {{kGravity * std::sin(theta), -kGravity * std::cos(theta), 0}};
  scene.grid.periodic.axes[0] = Interval{0, 8 * spacing};
  Sand::Parameters sand;
  sand.friction_angle = kFriction;
  sand.youngs_modulus = 500 * kDry * kGravity * kDepth;
  const auto fill = [&](int material, double density, const char* species) -> ObjectSettings& {
    ObjectSettings& layer =
        add_box(scene, material, density, {{0, 0, 0}}, {{8 * spacing, kDepth, 0}});
    layer.species = species;
    layer.initial_stress.emplace();
    return layer;
  };
  ObjectSettings& bed = fill(add_material(scene, sand), kDry, kSandSpecies);
  bed.initial_stress->k0 = 1;
  add_plane(scene, {{0, 1e-6 * spacing, 0}}, {{0, 1, 0}}, ContactKind::sticky);
  if (pores == Pores::dry) return scene;
  bed.initial_stress->density = kSubmerged;
  fill(add_material(scene, case_water(4e6)), kWater, kWaterSpecies);
  scene.colliders.back().species = kSandSpecies;
  add_plane(scene, {{0, 1e-6 * spacing, 0}}, {{0, 1, 0}}, ContactKind::slip);
  scene.colliders.back().species = kWaterSpecies;
  PorousPair& pair = couple(scene, CouplingKind::mixture);
  pair.porosity = kPorosity;
  pair.conductivity = 0.01;
  return scene;
}

struct Slide {
  double speed = 0, acceleration = 0;  // m/s at the end, m/s^2, of the sand's upper half
};

Result<Slide> watch(double angle, Pores pores, int cells) {
  double early = 0, late = 0;
  const auto upper_half = [](const Vec3d& x) { return x[1] > 0.5 * kDepth; };
  const auto record = [&](const World& world) {
    const long frame = world.frame();
    if (frame == std::lround(kFrom * kFps)) early = mean_of(world, 0, upper_half).velocity[0];
    if (frame == std::lround(kTo * kFps)) late = mean_of(world, 0, upper_half).velocity[0];
  };
  const auto world = run_scene(slope_scene(angle, pores, cells), Precision::double_,
                               std::lround(kTo * kFps), record);
  if (!world) return world.errors();
  return Slide{std::abs(late), (late - early) / (kTo - kFrom)};
}

double limit_angle() {
  return std::atan(kSubmerged / kFull * std::sin(kFriction * kDegree)) / kDegree;
}
double theory(double angle) {
  const double theta = angle * kDegree;
  return kGravity *
         (std::sin(theta) - kSubmerged / kFull * std::sin(kFriction * kDegree) * std::cos(theta));
}

}  // namespace

std::vector<Check> validate_saturated_slope(const ValidateOptions& options) {
  const int cells = options.fine ? 48 : 24;
  const double below = limit_angle() - 1, above = limit_angle() + 1;
  const auto stands = [&](const Result<Slide>& slide, const std::string& name) {
    if (!slide) return failed_run(kCase, slide.errors());
    return limit_check(kCase, "speed, m/s, " + name, slide->speed, kStands);
  };
  const Result<Slide> flows = watch(above, Pores::full, cells);
  std::vector<Check> checks = {
      stands(watch(below, Pores::full, cells), "full, 1 degree below its limit: stands"),
      must_fail(stands(flows, "full, 1 degree above its limit")),
      stands(watch(below, Pores::dry, cells), "dry, at the lower of both: stands"),
      stands(watch(above, Pores::dry, cells), "dry, at the higher: stands")};
  // Small beside the forces of which it is the difference: docs/validation.md.
  if (flows)
    checks.push_back(report(kCase, "acceleration, m/s2, full, 1 degree above", flows->acceleration,
                            theory(above)));
  return checks;
}

}  // namespace firn
