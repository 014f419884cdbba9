// Granular SPH in air: grains fall at their final speed, wind takes what is exposed to it.
#include <cmath>

#include "cases/case_tools.h"
#include "scene/defaults.h"
#include "world_run.h"

namespace firn {
namespace {

constexpr double kSpacing = 0.05, kDensity = 1500, kGravity = 9.81;

SceneSettings scene_in_air(std::int64_t dimension) {
  SceneSettings scene = case_scene(dimension, kSpacing, 20);
  scene.solver = SolverKind::sph;
  scene.air.emplace();
  add_material(scene, Sand::Parameters());
  return scene;
}

double drag_of(const AirKeys& air) {
  return 0.75 * air.drag_coefficient * air.density / (kDensity * air.grain_diameter);
}

// One particle for each place, of a cell's usual volume.
void add_grain(SceneSettings& scene, const Vec3d& at) {
  const double half = kSpacing / 4;
  Vec3d size{{half, half, scene.dimension == 3 ? half : 0}};
  add_box(scene, 0, kDensity, at - size, at + size);
}

TEST(SphAir, ALoneGrainFallsAtItsFinalSpeed) {
  for (const double fixed_dt : {0.0, 0.05}) {
    SceneSettings scene = scene_in_air(3);
    scene.gravity = {{0, -kGravity, 0}};
    scene.integrator.fixed_dt = fixed_dt > 0 ? fixed_dt / 10 : 0;
    add_grain(scene, {{0, 0, 0}});
    fill_defaults(scene);
    const auto world = started(scene);
    ASSERT_EQ(world->statistics().particles, 1u);
    advance(*world, 80);
    const double expected = std::sqrt(kGravity / drag_of(*scene.air));
    EXPECT_NEAR(world->statistics().max_speed, expected, 0.01 * expected);
  }
}

TEST(SphAir, WindCarriesALoneGrain) {
  SceneSettings scene = scene_in_air(2);
  scene.air->velocity = {{3, 1, 0}};
  add_grain(scene, {{0, 0, 0}});
  fill_defaults(scene);
  const auto world = started(scene);
  advance(*world, 10);
  // w - v = w / (1 + drag |w| t).
  const double left = 1 / (1 + drag_of(*scene.air) * std::sqrt(10.0) * 0.5);
  const FrameStats stats = world->statistics();
  EXPECT_NEAR(stats.momentum[0] / stats.mass, 3 * (1 - left), 0.03 * 3);
  EXPECT_NEAR(stats.momentum[1] / stats.mass, 1 * (1 - left), 0.03 * 1);
}

// Momentum along the wind that a mass gets in a step, over what it would get grain by grain.
double share_of_wind(SceneSettings scene) {
  scene.air->velocity = {{4, 0, 0}};
  scene.integrator.fixed_dt = 1e-3;
  fill_defaults(scene);
  const auto world = started(scene);
  EXPECT_TRUE(world->advance_step());
  const FrameStats stats = world->statistics();
  return stats.momentum[0] / (stats.mass * drag_of(*scene.air) * 16 * 1e-3);
}

TEST(SphAir, WindTakesOnlyWhatIsExposed) {
  SceneSettings apart = scene_in_air(3), block = scene_in_air(3);
  for (int i = 0; i < 5; ++i) add_grain(apart, {{0.03 * i, 0.3 * i, 0}});
  add_box(block, 0, kDensity, {{0, 0, 0}}, {{0.5, 0.5, 0.5}});
  block.objects[0].sampling.kind = SamplingKind::stratified;
  EXPECT_NEAR(share_of_wind(apart), 1, 0.02);
  EXPECT_LT(share_of_wind(block), 0.1);
}

TEST(SphAir, AWallOfGrainsShelters) {
  SceneSettings scene = scene_in_air(2);
  scene.air->velocity = {{4, 0, 0}};
  scene.integrator.fixed_dt = 1e-3;
  add_box(scene, 0, kDensity, {{0, 0, 0}}, {{kSpacing, 0.6, 0}});
  const double behind = kSpacing + 0.4 * kSpacing;
  add_grain(scene, {{behind, 0.3, 0}});
  add_grain(scene, {{behind, 2, 0}});
  fill_defaults(scene);
  const auto world = started(scene);
  for (int i = 0; i < 5; ++i) {
    const Result<double> step = world->advance_step();
    ASSERT_TRUE(step.ok()) << step.errors().front();
  }
  const PointTable frame = world->snapshot({"velocity"});
  const auto x = frame.as_double("x"), y = frame.as_double("y"), v = frame.as_double("vx");
  double sheltered = -1, free = -1;
  for (std::size_t i = 0; i < frame.count; ++i) {
    if (x[i] < kSpacing + 0.2 * kSpacing) continue;
    (y[i] > 1 ? free : sheltered) = v[i];
  }
  EXPECT_GT(free, 0.02);
  EXPECT_GE(sheltered, 0);
  EXPECT_LT(sheltered, 0.1 * free);
}

// Stronger than a step of the usual length bears: steps get shorter.
TEST(SphAir, AStormIsBorne) {
  SceneSettings scene = scene_in_air(2);
  scene.air->velocity = {{{0, "60 + y"}, 0, 0}};
  add_grain(scene, {{0, 0, 0}});
  fill_defaults(scene);
  const auto world = started(scene);
  advance(*world, 2);
  EXPECT_GT(world->statistics().max_speed, 30);
  EXPECT_LT(world->statistics().max_speed, 60);
}

TEST(SphAir, WindThatIsNoNumberIsAnError) {
  for (const char* wind : {"1 / (t - t)", "log(-1 - x*x)"}) {
    SceneSettings scene = scene_in_air(2);
    scene.air->velocity = {{{0, wind}, 0, 0}};
    add_grain(scene, {{0.1, 0.1, 0}});
    fill_defaults(scene);
    const auto world = started(scene);
    const Result<double> step = world->advance_step();
    ASSERT_FALSE(step.ok());
    EXPECT_EQ(step.errors().front().find("/air/velocity is not finite at t = "), 0u)
        << step.errors().front();
  }
}

}  // namespace
}  // namespace firn
