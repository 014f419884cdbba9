// Archimedes for porous bodies: grains lighter than water float with as much of their volume under
// water as they weigh of it, those as heavy as water stay where they are, heavier ones sink.
#include <cmath>

#include "cases/porous_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "buoyancy";
constexpr double kWidth = 1.2, kDepth = 0.6, kBlock = 0.3, kPorosity = 0.4, kSpacing = 0.025;
constexpr double kFps = 10;

struct Floating {
  double grains = 400, bottom = 0.4;  // kg/m^3; m, where the block begins
  CouplingKind coupling = CouplingKind::mixture;
};

SceneSettings tank(const Floating& body) {
  SceneSettings scene = case_scene(2, kSpacing, kFps);
  scene.gravity[1].value = -9.81;
  const int jelly = add_material(scene, elastic_material<NeoHookean>(2e5, 0.2));
  const int water = add_material(scene, case_water(1e6));
  const double left = (kWidth - kBlock) / 2;
  add_box(scene, jelly, (1 - kPorosity) * body.grains, {{left, body.bottom, 0}},
          {{left + kBlock, body.bottom + kBlock, 0}})
      .species = kSandSpecies;
  ObjectSettings& all = add_box(scene, water, 1000, {{0, 0, 0}}, {{kWidth, kDepth, 0}});
  all.species = kWaterSpecies;
  all.initial_stress.emplace();
  add_container(scene, {{0, 0, 0}}, {{kWidth, 2, 0}}, ContactKind::separate);
  PorousPair& pair = couple(scene, body.coupling);
  pair.porosity = kPorosity;
  pair.conductivity = 0.02;
  return scene;
}

struct Rest {
  double draught = 0, bottom = 0, speed = 0;  // m, m, m/s
};

Result<Rest> float_on(const Floating& body, double seconds) {
  Rest rest;
  const auto record = [&](const World& world) {
    if (world.frame() != std::lround(seconds * kFps)) return;
    const SpeciesMean block = mean_of(world, 0);
    // The surface from the mean height of the water beside the block.
    const auto beside = [](const Vec3d& x) { return x[0] < 0.3 || x[0] > kWidth - 0.3; };
    rest.bottom = block.position[1] - kBlock / 2;
    rest.draught = 2 * mean_of(world, 1, beside).position[1] - rest.bottom;
    rest.speed = std::abs(block.velocity[1]);
  };
  const auto world = run_scene(tank(body), Precision::single, std::lround(seconds * kFps), record);
  if (!world) return world.errors();
  return rest;
}

}  // namespace

std::vector<Check> validate_porous_buoyancy(const ValidateOptions&) {
  std::vector<Check> checks;
  const auto judge = [&](const std::string& name, const Result<Rest>& rest, auto measured,
                         double limit) {
    if (!rest) return failed_run(kCase, rest.errors());
    return limit_check(kCase, name, std::abs(measured(*rest)), limit);
  };
  const double draught = 0.4 * kBlock;
  const auto off = [&](const Rest& r) { return r.draught - draught; };
  checks.push_back(judge("draught, off by m, grains of 400 kg/m3, from above",
                         float_on({400, 0.54}, 4), off, kSpacing));
  checks.push_back(judge("draught, off by m, grains of 400 kg/m3, from below",
                         float_on({400, 0.4}, 4), off, kSpacing));
  checks.push_back(judge(
      "moved by m in 3 s, grains of 1000 kg/m3", float_on({1000, 0.2}, 3),
      [](const Rest& r) { return r.bottom - 0.2; }, kSpacing));
  checks.push_back(judge(
      "above the floor, m, grains of 2600 kg/m3", float_on({2600, 0.2}, 4),
      [](const Rest& r) { return r.bottom; }, kSpacing));
  checks.push_back(
      must_fail(judge("draught where species overlap",
                      float_on({400, 0.4, CouplingKind::implicit}, 4), off, kSpacing)));
  return checks;
}

}  // namespace firn
