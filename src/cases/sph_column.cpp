// Sand in a slot and a frictionless block that breaks like a dam: density in every step, and once
// they lie still pressure, load, volume and the place of the lowest layer.
#include <algorithm>
#include <cmath>

#include "cases/sph_tools.h"

namespace firn {
namespace {

constexpr const char* kCase = "sph_column";

struct Block {
  std::string name;
  int dimension = 2;
  double friction_angle = 0;         // degrees
  double width = 0.6, height = 0.6;  // m
  double tank = 0.6;                 // m
  double spacing = 0.04;
  double seconds = 4;
  double gravity = kSphGravity;
};

// All but the first are means of the last second.
struct Findings {
  double density = 0;  // largest mean error of a step
  double slope = 0;    // of the vertical stress, Pa/m
  double load = 0;     // N, on the floor
  double level = 0;    // m, mean height of the surface
  double lowest = 0;   // spacings of particles, mean height of the lowest layer
};

SceneSettings block_scene(const Block& block) {
  SceneSettings scene = sph_scene(block.dimension, block.spacing, 25, block.friction_angle);
  scene.gravity = {{0, -block.gravity, 0}};
  const double depth = block.dimension == 3 ? 4 * block.spacing : 0;
  add_box(scene, 0, kSphDensity, {{0, 0, 0}}, {{block.width, block.height, depth}});
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate);
  add_plane(scene, {{0, 0, 0}}, {{1, 0, 0}}, ContactKind::separate);
  add_plane(scene, {{block.tank, 0, 0}}, {{-1, 0, 0}}, ContactKind::separate);
  if (block.dimension == 3) {
    scene.grid.periodic.axes[2] = Interval{0, depth};
  }
  return scene;
}

// Adds a share of what is found now.
void measure_rest(const Block& block, const World& world, double share, Findings& found) {
  const PointTable table = world.snapshot({"stress"});
  const auto x = table.as_double("x"), y = table.as_double("y"),
             stress = table.as_double("stress_yy");
  const double particle = block.spacing / 2;
  const auto strips = static_cast<std::size_t>(std::lround(block.tank / (2 * block.spacing)));
  std::vector<double> top(strips, 0), depth, pressure;
  double low = 0, lows = 0;
  for (std::size_t i = 0; i < table.count; ++i) {
    const double place = std::clamp(x[i] / block.tank, 0.0, 0.999);
    double& highest = top[static_cast<std::size_t>(place * static_cast<double>(strips))];
    highest = std::max(highest, y[i] + particle / 2);
    if (y[i] < particle) {
      low += y[i];
      lows += 1;
    }
  }
  double level = 0;
  for (const double height : top) level += height / static_cast<double>(strips);
  found.level += share * level;
  found.lowest += share * low / lows / particle;
  for (std::size_t i = 0; i < table.count; ++i)
    if (y[i] > 0.1 * level && y[i] < 0.9 * level) {
      depth.push_back(-y[i]);
      pressure.push_back(-stress[i]);
    }
  found.slope += share * fitted_slope(depth, pressure);
}

Result<Findings> watch(const Block& block) {
  const SceneSettings scene = block_scene(block);
  Findings found;
  const auto frames = static_cast<std::int64_t>(std::lround(block.seconds * scene.fps));
  const auto record = [&](const World& world) {
    const FrameStats stats = world.statistics();
    if (world.frame() == 0) return;
    found.density = std::max(found.density, stats.grains->mean_density_error);
    if (static_cast<double>(frames - world.frame()) >= scene.fps) return;
    found.load -= stats.colliders[0].force[1] / scene.fps;
    measure_rest(block, world, 1 / scene.fps, found);
  };
  const auto world = run_scene(scene, Precision::double_, frames, record);
  if (!world) return world.errors();
  return found;
}

std::vector<Check> judge(const ValidateOptions& options, const Block& block) {
  const Result<Findings> found = watch(block);
  if (!found) return {failed_run(kCase, found.errors())};
  const double depth = block.dimension == 3 ? 4 * block.spacing : 1;
  const double weight = kSphDensity * kSphGravity * block.width * block.height * depth;
  const double level = block.width * block.height / block.tank;
  const std::string of = ", " + block.name;
  options.progress(block.name + ": density " + short_number(found->density) + ", level " +
                   short_number(found->level) + " for " + short_number(level));
  return {relative_check(kCase, "slope of the vertical stress, Pa/m" + of, found->slope,
                         kSphDensity * kSphGravity, 0.05),
          relative_check(kCase, "load of the floor, N" + of, found->load, weight, 0.01),
          limit_check(kCase, "mean error of density, worst step" + of, found->density,
                      SphKeys().tolerance),
          relative_check(kCase, "volume, as level, m" + of, found->level, level, 0.02),
          range_check(kCase, "lowest layer, spacings off the floor" + of, found->lowest, 0.4, 0.7,
                      1e-9)};
}

}  // namespace

std::vector<Check> validate_sph_column(const ValidateOptions& options) {
  const double spacing = options.fine ? 0.02 : 0.03;
  Block sand{"sand in a slot, 2D", 2, 30};
  Block deep{"sand in a slot, 3D", 3, 30, 0.48, 0.48, 0.48};
  Block dam{"frictionless dam", 2, 0, 0.48, 0.6, 0.96};
  dam.seconds = 12;
  std::vector<Check> checks;
  for (Block* block : {&sand, &deep, &dam}) {
    block->spacing = block->dimension == 3 ? 4.0 / 3 * spacing : spacing;
    for (Check& check : judge(options, *block)) checks.push_back(std::move(check));
  }
  Block light = sand;
  light.name += ", gravity a tenth less";
  light.gravity = 0.9 * kSphGravity;
  const std::vector<Check> control = judge(options, light);
  for (std::size_t i = 0; i < 2 && i < control.size(); ++i) checks.push_back(must_fail(control[i]));
  return checks;
}

}  // namespace firn
