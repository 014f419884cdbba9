// Small versions of the granular validation cases: slopes at the angle of friction, and run-outs.
#include <gtest/gtest.h>

#include <cmath>

#include "cases/granular_tools.h"

namespace firn {
namespace {

// Two degrees more or less show from some 40 cells on; the slabs in 3D are coarser.
WedgeMotion watched(int dimension, double slope, Cone cone = Cone::automatic) {
  SandWedge wedge;
  wedge.dimension = dimension;
  wedge.friction_angle = 30;
  wedge.slope = slope;
  wedge.cone = cone;
  wedge.cells = dimension == 3 ? 24 : 40;
  wedge.seconds = 1.5;
  const Result<WedgeMotion> motion = watch_wedge(wedge);
  EXPECT_TRUE(motion) << (motion ? "" : motion.errors().front());
  return motion ? *motion : WedgeMotion{};
}

double runout(double angle, double aspect, int cells) {
  SandColumn column;
  column.aspect = aspect;
  column.cells = cells;
  column.friction_angle = angle;
  column.floor_friction = 0.566;
  const Result<Deposit> deposit = collapse(column);
  EXPECT_TRUE(deposit) << (deposit ? "" : deposit.errors().front());
  return deposit ? deposit->runout : 0;
}

TEST(Granular, SlopeBelowTheAngleOfFrictionStands) {
  for (const int dimension : {2, 3}) {
    const WedgeMotion motion = watched(dimension, 28);
    EXPECT_GT(motion.end, 0) << dimension;
    EXPECT_LT(motion.end, 0.02) << dimension;
    EXPECT_LT(motion.creep(), 0.001) << dimension;
  }
}

TEST(Granular, SlopeAboveTheAngleOfFrictionFlows) {
  EXPECT_GT(watched(2, 32).end, 0.04);
  EXPECT_GT(watched(3, 36).end, 0.04);
}

// In plane strain the cone that touches Coulomb's law in triaxial compression is too strong.
TEST(Granular, CompressionConeHoldsSlopesAboveTheAngleOfFriction) {
  EXPECT_LT(watched(3, 36, Cone::compression).end, 0.02);
}

TEST(Granular, PlanarCollapseRunsOutAsMeasured) {
  EXPECT_NEAR(runout(34.5, 1, 20), 1.2, 0.2 * 1.2);
}

// Part of the weight of a thin layer reaches a plane that is off the nodes by the guard of
// particles: friction must act on that part too, and the load of the plane must count it.
TEST(Granular, LooseSandStaysOnPlanesThatAreOffTheNodes) {
  constexpr double kSlope = 14 * kDegree, kG = 9.81, kSpacing = 0.05;
  for (const double turn : {0.0, kSlope}) {
    SceneSettings scene = case_scene(2, kSpacing, 5);
    scene.gravity = {{kG * std::sin(kSlope - turn), -kG * std::cos(kSlope - turn), 0}};
    const Vec3d down{{std::cos(turn), -std::sin(turn), 0}},
        normal{{std::sin(turn), std::cos(turn), 0}};
    ObjectSettings& heap =
        add_box(scene, add_material(scene, Sand::Parameters()), 1600, {{0, 0, 0}}, {{0.4, 0.2, 0}});
    heap.shape.center = down * 0.2 + normal * 0.1;
    heap.shape.rotation = {{0, 0, -turn / kDegree}};
    add_plane(scene, normal * (0.7 * kSpacing), normal, ContactKind::separate, 0.3);
    const auto world = run_scene(scene, Precision::double_, 25);
    ASSERT_TRUE(world.ok()) << world.errors().front();
    const FrameStats stats = (*world)->statistics();
    EXPECT_LT(std::sqrt(dot(stats.momentum, stats.momentum)) / stats.mass, 0.01) << turn;
    const Vec3d load = stats.colliders.front().force;
    EXPECT_NEAR(-dot(load, normal) / (stats.mass * kG * std::cos(kSlope)), 1, 0.01) << turn;
    EXPECT_NEAR(dot(load, down) / -dot(load, normal), std::tan(kSlope), 0.01) << turn;
  }
}

TEST(Granular, RougherSandRunsLessFar) {
  double previous = 10;
  for (const double angle : {15.0, 25.0, 35.0, 45.0}) {
    const double now = runout(angle, 1, 12);
    EXPECT_LT(now, previous) << angle;
    previous = now;
  }
}

}  // namespace
}  // namespace firn
