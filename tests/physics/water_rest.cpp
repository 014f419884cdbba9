// Water left alone stays at rest, beside walls between nodes, in corners and in tilted tanks; a
// body in it sinks to the floor.
#include <gtest/gtest.h>

#include <cmath>

#include "cases/water.h"

namespace firn {
namespace {

constexpr double kSpacing = 1.0 / 16, kWidth = 0.75, kDepth = 0.5;

SceneSettings scene_of(double offset, double tilt) {
  const double angle = tilt * std::acos(-1.0) / 180;
  const Vec3d right{{std::cos(angle), std::sin(angle), 0}};
  const Vec3d up{{-std::sin(angle), std::cos(angle), 0}};
  const Vec3d corner{{offset * kSpacing, offset * kSpacing, 0}};
  SceneSettings scene = case_scene(2, kSpacing, 20);
  for (int a = 0; a < 3; ++a) scene.gravity[a] = -kWaterGravity * up[a];
  add_material(scene, Fluid::Parameters{});
  add_plane(scene, corner, up, ContactKind::separate);
  add_plane(scene, corner, right, ContactKind::separate);
  add_plane(scene, corner + right * kWidth, right * -1.0, ContactKind::separate);
  ObjectSettings& water = add_box(scene, 0, kWaterDensity, {{0, 0, 0}}, {{kWidth, kDepth, 0}});
  water.shape.center = corner + right * (kWidth / 2) + up * (kDepth / 2);
  water.shape.rotation.angles = {{0, 0, tilt}};
  water.sampling = {};
  water.initial_stress.emplace();
  water.initial_stress->kind = InitialStressKind::hydrostatic;
  water.initial_stress->surface = dot(up, corner + up * kDepth);
  return scene;
}

// Root mean square of the speed in the second second, m/s.
double restlessness(double offset, double tilt) {
  double mean = 0;
  const auto world = run_scene(scene_of(offset, tilt), Precision::single, 40, [&](const World& w) {
    const FrameStats stats = w.statistics();
    if (w.frame() > 20) mean += std::sqrt(2 * stats.kinetic / stats.mass) / 20;
  });
  EXPECT_TRUE(world) << world.errors().front();
  return mean;
}

TEST(WaterAtRest, StaysSoWhereverTheWallsAre) {
  EXPECT_LT(restlessness(0, 0), 0.01);
  EXPECT_LT(restlessness(0.3, 0), 0.01);
  EXPECT_LT(restlessness(0.6, 0), 0.01);
  EXPECT_LT(restlessness(0.2, 20), 0.01);
  EXPECT_LT(restlessness(0, 45), 0.01);
}

TEST(WaterBesideSolids, LetsAHeavyBodySink) {
  SceneSettings scene = case_scene(2, kSpacing, 20);
  scene.gravity = {{0, -kWaterGravity, 0}};
  const int water = add_material(scene, Fluid::Parameters{});
  const int stone = add_material(scene, elastic_material<NeoHookean>(1e6, 0.3));
  add_container(scene, {{0, 0, 0}}, {{1, 2, 0}}, ContactKind::separate);
  const double low = 2 * kSpacing, side = 0.25;
  add_box(scene, water, kWaterDensity, {{0, 0, 0}}, {{1, low, 0}});
  add_box(scene, water, kWaterDensity, {{0, low, 0}}, {{(1 - side) / 2, 0.5, 0}});
  add_box(scene, water, kWaterDensity, {{(1 + side) / 2, low, 0}}, {{1, 0.5, 0}});
  add_box(scene, water, kWaterDensity, {{(1 - side) / 2, low + side, 0}},
          {{(1 + side) / 2, 0.5, 0}});
  add_box(scene, stone, 2600, {{(1 - side) / 2, low, 0}}, {{(1 + side) / 2, low + side, 0}});
  const auto world = run_scene(scene, Precision::single, 80);
  ASSERT_TRUE(world) << world.errors().front();
  const PointTable table = (*world)->snapshot({"material"});
  const auto y = table.as_double("y"), material = table.as_double("material");
  double lowest = INFINITY;
  for (std::size_t i = 0; i < table.count; ++i)
    if (material[i] == 1) lowest = std::min(lowest, y[i]);
  EXPECT_LT(lowest / kSpacing - 0.25, 1.1);
}

}  // namespace
}  // namespace firn
