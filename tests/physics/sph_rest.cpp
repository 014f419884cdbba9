// Granular SPH: what lies stays, with the right loads; what is too steep flows; nothing gains.
#include <cmath>

#include "cases/sph_tools.h"
#include "scene/defaults.h"
#include "world_run.h"

namespace firn {
namespace {

constexpr double kSpacing = 0.05, kDensity = 1500, kGravity = 9.81;

SceneSettings sand_of_sph(int dimension, double angle) {
  return sph_scene(dimension, kSpacing, 25, angle);
}

struct Motion {
  double height, fastest;  // of the centre of mass, m; m/s
};
Motion motion_of(const World& world) {
  const FrameStats stats = world.statistics();
  return {stats.gravity_potential / (stats.mass * kGravity), stats.max_speed};
}

TEST(SphRest, AColumnBearsItsWeight) {
  SceneSettings scene = sand_of_sph(2, 30);
  const double width = 0.4, height = 0.6;
  add_box(scene, 0, kDensity, {{0, 0, 0}}, {{width, height, 0}});
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate);
  add_plane(scene, {{0, 0, 0}}, {{1, 0, 0}}, ContactKind::separate);
  add_plane(scene, {{width, 0, 0}}, {{-1, 0, 0}}, ContactKind::separate);
  fill_defaults(scene);
  const auto world = started(scene);
  advance(*world, 50);
  const FrameStats stats = world->statistics();
  const double weight = kDensity * width * height * kGravity;
  EXPECT_NEAR(stats.colliders[0].force[1], -weight, 0.01 * weight);
  EXPECT_NEAR(stats.colliders[1].force[0], -stats.colliders[2].force[0], 0.01 * weight);
  EXPECT_LT(stats.max_speed, 0.002);
  EXPECT_NEAR(motion_of(*world).height, height / 2, 0.03 * height);
  EXPECT_LE(stats.grains->mean_density_error, 2 * scene.sph.tolerance);
  EXPECT_EQ(stats.grains->missed_steps, 0);
}

// Three times the sand that there is room for comes apart by and by, and nothing is thrown.
TEST(SphRest, ACrowdIsPartedAtBoundedSpeed) {
  for (const double angle : {30.0, 0.0}) {
    SceneSettings scene = sand_of_sph(2, angle);
    scene.gravity = {{0, 0, 0}};
    for (const double offset : {0.0, 0.007, -0.005})
      add_box(scene, 0, kDensity, {{-0.2 + offset, -0.2, 0}}, {{0.2 + offset, 0.2, 0}});
    fill_defaults(scene);
    const auto world = started(scene);
    advance(*world, 1);
    const double before = world->statistics().grains->mean_density_error;
    advance(*world, 24);
    const FrameStats stats = world->statistics();
    EXPECT_LT(stats.grains->mean_density_error, 0.9 * before) << angle;
    double farthest = 0;
    for (const double x : world->snapshot({}).as_double("x"))
      farthest = std::max(farthest, std::abs(x));
    // Sides grow by half of what areas do, 0.5 of themselves a second where there is friction.
    if (angle > 0) {
      EXPECT_LT(farthest, 0.207 * std::exp(0.25)) << angle;
    }
  }
}

// How much of its height the centre of a heap of sand, 2 m wide, loses after a second and until
// three: what it loses before by setting is not counted below the angle.
double fall_of_heap(double slope, double angle) {
  SceneSettings scene = sand_of_sph(2, angle);
  const double steepness = std::tan(slope * 3.14159265358979323846 / 180);
  ObjectSettings& heap = add_box(scene, 0, kDensity, {{-1, 0, 0}}, {{1, steepness, 0}});
  PartSettings box, half;
  static_cast<ShapeSettings&>(box) = heap.shape;
  heap.shape = {};
  heap.shape.kind = ShapeType::intersection;
  heap.shape.parts.push_back(box);
  half.kind = ShapeType::plane;
  for (const double side : {1.0, -1.0}) {
    half.center = {{side, 0, 0}};
    half.normal = {{side * steepness, 1, 0}};
    heap.shape.parts.push_back(half);
  }
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate, 1);
  fill_defaults(scene);
  const auto world = started(scene);
  advance(*world, 25);
  const Motion settled = motion_of(*world);
  advance(*world, 50);
  const Motion later = motion_of(*world);
  EXPECT_LT(later.fastest, slope < angle ? 0.004 : 0.2);
  const double start = slope < angle ? settled.height : steepness / 3;
  return 1 - later.height / start;
}

TEST(SphRest, HeapsBelowTheAngleStand) {
  EXPECT_LT(fall_of_heap(26, 30), 0.004);
}
TEST(SphRest, HeapsAboveTheAngleFlow) {
  EXPECT_GT(fall_of_heap(36, 30), 0.06);
}

// Nothing outside acts on a cloud of grains that fly into each other: momentum stays, and energy
// only falls.
TEST(SphRest, MomentumStaysAndEnergyFalls) {
  for (const int dimension : {2, 3}) {
    SceneSettings scene = sand_of_sph(dimension, 35);
    scene.gravity = {{0, 0, 0}};
    const double depth = dimension == 3 ? 0.2 : 0;
    add_box(scene, 0, kDensity, {{0, 0, 0}}, {{0.3, 0.3, depth}}).velocity = {{1, 0.2, 0}};
    add_box(scene, 0, kDensity, {{0.35, 0.1, 0}}, {{0.65, 0.4, depth}}).velocity = {{-1, 0, 0}};
    fill_defaults(scene);
    const auto world = started(scene);
    const FrameStats start = world->statistics();
    double kinetic = start.kinetic;
    for (int frame = 0; frame < 8; ++frame) {
      advance(*world, 1);
      const FrameStats now = world->statistics();
      EXPECT_LE(now.kinetic, kinetic * (1 + 1e-9));
      kinetic = now.kinetic;
      for (int a = 0; a < 3; ++a)
        EXPECT_NEAR(now.momentum[a], start.momentum[a], 1e-9 * start.mass);
    }
    EXPECT_LT(kinetic, 0.9 * start.kinetic);
  }
}

// A lone grain on a floor stops after v^2 / (2 mu g).
TEST(SphRest, ALoneGrainSlidesAsCoulombSays) {
  SceneSettings scene = sand_of_sph(3, 30);
  const double friction = 0.4, speed = 1.5;
  add_box(scene, 0, kDensity, {{0, 0, 0}}, {{0.025, 0.025, 0.025}}).velocity = {{speed, 0, 0}};
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate, friction);
  fill_defaults(scene);
  const auto world = started(scene);
  ASSERT_EQ(world->statistics().particles, 1u);
  const auto place = [&] { return world->snapshot({}).as_double("x")[0]; };
  const double before = place();
  advance(*world, 25);
  const double way = place() - before;
  EXPECT_NEAR(way, speed * speed / (2 * friction * kGravity), 0.05 * way);
  EXPECT_LT(world->statistics().max_speed, 0.002);
}

}  // namespace
}  // namespace firn
