// Distance fields: order of accuracy, joins between blocks, signs, volumes, meshes of all sorts.
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "exec/parallel.h"
#include "geometry/distance_field.h"
#include "geometry/mesh_field.h"
#include "test_meshes.h"

namespace firn {
namespace {

double norm(const Vec3d& v) {
  return std::sqrt(dot(v, v));
}

Vec3d random_in(RandomStream& random, double reach, int dimension) {
  Vec3d x;
  for (int i = 0; i < 3; ++i) x[i] = reach * (2 * random.next_double() - 1);
  if (dimension == 2) x[2] = 0;
  return x;
}

Bounds cube_bounds(double half) {
  return {Vec3d::fill(-half), Vec3d::fill(half)};
}

Shape ball(int dimension) {
  Shape s;
  s.kind = ShapeKind::ball;
  s.size = {{1, 1, 1}};
  s.dimension = dimension;
  return s;
}

DistanceField sampled(const Shape& shape, double spacing) {
  const auto field =
      build_distance_field(shape.dimension, bounding_box(shape), spacing,
                           [&](const Vec3d& p) { return signed_distance(shape, p).distance; });
  EXPECT_TRUE(field.ok());
  return *field;
}

// Largest error within two cells of the surface.
double error_near_surface(const Shape& shape, double spacing) {
  const DistanceField field = sampled(shape, spacing);
  RandomStream random(1, 0);
  double worst = 0;
  for (int k = 0; k < 20000; ++k) {
    const Vec3d p = random_in(random, 1.2, shape.dimension);
    const double exact = signed_distance(shape, p).distance;
    if (std::fabs(exact) < 2 * spacing)
      worst = std::max(worst, std::fabs(field_distance(field.view(), p).distance - exact));
  }
  return worst;
}

TEST(DistanceField, ErrorOfBallFallsWithTheSquareOfTheSpacing) {
  for (const int dimension : {2, 3}) {
    const double coarse = error_near_surface(ball(dimension), 0.05);
    const double fine = error_near_surface(ball(dimension), 0.025);
    EXPECT_LT(coarse, 0.05 * 0.05);
    EXPECT_LT(fine, coarse / 3);
  }
}

TEST(DistanceField, NormalsPointOutwards) {
  const DistanceField field = sampled(ball(3), 0.05);
  RandomStream random(2, 0);
  for (int k = 0; k < 5000; ++k) {
    const Vec3d p = random_in(random, 3, 3);
    if (norm(p) < 0.9) continue;
    const DistanceAndNormal r = field_distance(field.view(), p);
    ASSERT_NEAR(norm(r.normal), 1, 1e-9);
    ASSERT_GT(dot(r.normal, p) / norm(p), norm(p) < 1.1 ? 0.995 : 0.5);
  }
}

TEST(DistanceField, FieldHasNoJumps) {
  for (const int dimension : {2, 3}) {
    const double h = 0.04;
    const DistanceField field = sampled(ball(dimension), h);
    RandomStream random(3, dimension);
    double steepest = 0;
    for (int k = 0; k < 200000; ++k) {
      const Vec3d p = random_in(random, 1.5, dimension);
      const Vec3d q = p + random_in(random, 1e-5, dimension);
      const double change =
          field_distance(field.view(), p).distance - field_distance(field.view(), q).distance;
      steepest = std::max(steepest, std::fabs(change) / norm(p - q));
    }
    EXPECT_LT(steepest, 1.8);  // a jump of a thousandth of a cell would give four
  }
}

TEST(DistanceField, OutsideOfTheBoxIsALowerBound) {
  for (const int dimension : {2, 3}) {
    const DistanceField field = sampled(ball(dimension), 0.1);
    RandomStream random(4, 0);
    for (int k = 0; k < 5000; ++k) {
      const Vec3d p = random_in(random, 10, dimension);
      const double exact = norm(p) - 1, found = field_distance(field.view(), p).distance;
      if (exact < 0.5) continue;
      ASSERT_LE(found, exact * 1.001 + 0.01);
      ASSERT_GE(found, 0.4 * exact);
    }
  }
}

TEST(DistanceField, SignsAreRightAwayFromTheSurface) {
  Shape box;
  box.size = {{0.7, 0.3, 0.5}};
  box.rotation = rotation_from_degrees({{20, 30, 40}});
  const double h = 0.05;
  const DistanceField field = sampled(box, h);
  RandomStream random(5, 0);
  for (int k = 0; k < 50000; ++k) {
    const Vec3d p = random_in(random, 1.2, 3);
    const double exact = signed_distance(box, p).distance;
    if (std::fabs(exact) < 0.5 * h) continue;
    ASSERT_EQ(field_distance(field.view(), p).distance < 0, exact < 0) << exact;
  }
  EXPECT_NEAR(field.volume(), volume(box), 0.01 * volume(box));
}

TEST(DistanceField, VolumeAndBoundsBetweenSamples) {
  EXPECT_NEAR(sampled(ball(2), 0.05).volume(), kPi, 0.001 * kPi);
  const DistanceField field = sampled(ball(3), 0.05);
  EXPECT_NEAR(field.volume(), 4 * kPi / 3, 0.002 * 4 * kPi / 3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(field.bounds().low[i], -1, 0.002);
    EXPECT_NEAR(field.bounds().high[i], 1, 0.002);
  }
}

TEST(DistanceField, TooManyBlocksAreRefusedBeforeAllocation) {
  const auto distance = [](const Vec3d& p) { return norm(p) - 1; };
  const auto blocks = build_distance_field(3, cube_bounds(1), 1e-5, distance);
  ASSERT_FALSE(blocks.ok());
  EXPECT_NE(blocks.errors()[0].find("raise the spacing"), std::string::npos);
  EXPECT_FALSE(build_distance_field(3, cube_bounds(1), 0, distance).ok());
  EXPECT_FALSE(build_distance_field(3, cube_bounds(1), -1, distance).ok());
  EXPECT_FALSE(build_distance_field(3, cube_bounds(std::nan("")), 0.1, distance).ok());
}

TEST(DistanceField, WhatIsNoNumberGivesNoCrash) {
  const DistanceField field = sampled(ball(3), 0.2);
  const double nan = std::nan(""), huge = 1e300;
  for (const Vec3d& p : {Vec3d{{nan, 0, 0}}, Vec3d{{huge, -huge, nan}}, Vec3d{{huge, 0, 0}}})
    field_distance(field.view(), p);
  EXPECT_GT(field_distance(field.view(), {{1e100, 0, 0}}).distance, 1e99);
}

TEST(MeshField, SphereMatchesTheBall) {
  const auto field = mesh_distance_field(sphere_mesh({{3, 2, 1}}, 1, 64), 0.05);
  ASSERT_TRUE(field.ok());
  RandomStream random(6, 0);
  for (int k = 0; k < 20000; ++k) {
    const Vec3d p = random_in(random, 1.3, 3);
    const double exact = norm(p) - 1;
    if (std::fabs(exact) > 0.1) continue;
    ASSERT_NEAR(field_distance(field->view(), p + Vec3d{{3, 2, 1}}).distance, exact, 0.004);
  }
}

TEST(MeshField, ClosedMeshHasItsExactVolume) {
  const TriangleMesh sphere = sphere_mesh({{0, 0, 0}}, 1, 20);
  const auto field = mesh_distance_field(sphere, 0.08);
  ASSERT_TRUE(field.ok());
  EXPECT_DOUBLE_EQ(field->volume(), signed_volume(sphere));
}

TEST(MeshField, InvertedMeshIsTurned) {
  TriangleMesh inverted;
  append(inverted, cube_mesh({{0, 0, 0}}, 1), true);
  const auto field = mesh_distance_field(inverted, 0.1);
  ASSERT_TRUE(field.ok());
  EXPECT_LT(field_distance(field->view(), {{0, 0, 0}}).distance, -0.5);
  EXPECT_GT(field_distance(field->view(), {{1.5, 0, 0}}).distance, 0.3);
  EXPECT_NEAR(field->volume(), 8, 1e-9);
}

TEST(MeshField, CavityIsEmptyAndInnerShellIsSolid) {
  const Vec3d o{{0, 0, 0}};
  TriangleMesh hollow = cube_mesh(o, 1), nested = hollow;
  append(hollow, cube_mesh(o, 0.5), true);
  append(nested, cube_mesh(o, 0.5));
  const auto cavity = mesh_distance_field(hollow, 0.05), solid = mesh_distance_field(nested, 0.05);
  ASSERT_TRUE(cavity.ok() && solid.ok());
  EXPECT_NEAR(field_distance(cavity->view(), o).distance, 0.5, 0.1);
  EXPECT_NEAR(field_distance(cavity->view(), {{0.75, 0, 0}}).distance, -0.25, 0.01);
  EXPECT_NEAR(cavity->volume(), 7, 1e-9);
  // The inner shell bounds nothing: the depth is that below the outer faces.
  EXPECT_NEAR(field_distance(solid->view(), {{0.5, 0, 0}}).distance, -0.5, 0.1);
  EXPECT_NEAR(solid->volume(), 8, 0.02);
}

// Samples fall on faces, where a sign means nothing, next to samples in the middle of the wall.
TEST(MeshField, ThinWallsThatMeetTheSamplesAreWhole) {
  TriangleMesh shell = cube_mesh({{0, 0, 0}}, 0.13);
  append(shell, cube_mesh({{0, 0, 0}}, 0.12), true);
  const auto field = mesh_distance_field(shell, 0.005);
  ASSERT_TRUE(field.ok());
  for (double y = -0.1249; y < 0.125; y += 0.0013)
    for (double z = -0.1249; z < 0.125; z += 0.0013)
      for (const double x : {-0.125, 0.125}) {
        EXPECT_LT(field_distance(field->view(), {{x, y, z}}).distance, -0.0024) << y << ' ' << z;
        EXPECT_LT(field_distance(field->view(), {{y, x, z}}).distance, -0.0024) << y << ' ' << z;
        EXPECT_LT(field_distance(field->view(), {{z, y, x}}).distance, -0.0024) << y << ' ' << z;
      }
}

TEST(MeshField, OverlappingCubesAreTheirUnion) {
  TriangleMesh two = cube_mesh({{-0.5, 0, 0}}, 1);
  append(two, cube_mesh({{0.5, 0.1, 0.1}}, 1));
  const auto field = mesh_distance_field(two, 0.05);
  ASSERT_TRUE(field.ok());
  EXPECT_NEAR(field->volume(), 16 - 1.0 * 1.9 * 1.9, 0.05);
  EXPECT_LT(field_distance(field->view(), {{0, 0, 0}}).distance, 0);
}

TEST(MeshField, OpenMeshGetsALid) {
  TriangleMesh open = cube_mesh({{0, 0, 0}}, 1);
  open.triangles.resize(10);
  const double h = 0.05;
  const auto field = mesh_distance_field(open, h);
  ASSERT_TRUE(field.ok());
  const auto at = [&](double z) { return field_distance(field->view(), {{0, 0, z}}).distance; };
  EXPECT_LT(at(0), -0.5);
  // The lid bulges a little; across it the field is a distance, not a jump.
  EXPECT_GT(at(1.5), 0.2);
  double zero = 0;
  while (at(zero) < 0) zero += 0.001;
  EXPECT_NEAR(zero, 1, 0.1);
  EXPECT_NEAR(at(zero - 2 * h), -2 * h, h);
  EXPECT_NEAR(at(zero + 2 * h), 2 * h, h);
  EXPECT_NEAR(field->volume(), 8, 0.5);
}

TEST(MeshField, FlatSheetHoldsNothing) {
  TriangleMesh sheet = cube_mesh({{0, 0, 0}}, 1);
  sheet.triangles.resize(2);
  const auto field = mesh_distance_field(sheet, 0.1);
  ASSERT_FALSE(field.ok());
  EXPECT_NE(field.errors()[0].find("no volume"), std::string::npos);
  EXPECT_FALSE(mesh_distance_field({}, 0.1).ok());
}

TEST(MeshField, SameBytesForAnyNumberOfThreads) {
  const TriangleMesh sphere = sphere_mesh({{0, 0, 0}}, 1, 24);
  const int threads = thread_count();
  set_thread_count(1);
  const auto one = mesh_distance_field(sphere, 0.07);
  set_thread_count(3);
  const auto three = mesh_distance_field(sphere, 0.07);
  set_thread_count(threads);
  ASSERT_TRUE(one.ok() && three.ok());
  EXPECT_EQ(one->data().samples, three->data().samples);
  EXPECT_EQ(one->data().corners, three->data().corners);
  EXPECT_EQ(one->data().slots, three->data().slots);
  EXPECT_EQ(one->volume(), three->volume());
}

}  // namespace
}  // namespace firn
