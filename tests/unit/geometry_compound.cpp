// New primitives, set operations and moved copies: distances against brute force, volumes against
// formulas, sampling without gaps.
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "geometry/sampling.h"
#include "geometry/shape.h"

namespace firn {
namespace {

Shape primitive(ShapeKind kind, const Vec3d& size, int dimension = 3) {
  Shape shape;
  shape.kind = kind;
  shape.size = size;
  shape.dimension = dimension;
  return shape;
}

std::vector<Shape> primitives(int dimension) {
  return {primitive(ShapeKind::capsule, {{.3, .4, 0}}, dimension),
          primitive(ShapeKind::cone, {{.5, .4, .1}}, dimension),
          primitive(ShapeKind::cone, {{.5, .4, 0}}, dimension),
          primitive(ShapeKind::torus, {{.5, .2, 0}}, dimension),
          primitive(ShapeKind::ellipsoid, {{.6, .3, .4}}, dimension)};
}

Vec3d random_point(RandomStream& random, double size, int dimension) {
  Vec3d p{{0, 0, 0}};
  for (int i = 0; i < dimension; ++i) p[i] = size * (2 * random.next_double() - 1);
  return p;
}

// Unions, intersections, differences and blends of primitives, one inside another.
std::vector<Shape> compounds(int dimension) {
  std::vector<Shape> parts = primitives(dimension);
  double x = -0.4;
  for (Shape& part : parts) part.center = {{x += 0.15, -0.5 * x, 0}};
  std::vector<Shape> all;
  for (const SetOperation operation :
       {SetOperation::unite, SetOperation::intersect, SetOperation::subtract})
    all.push_back(make_compound(operation, parts, dimension));
  all.push_back(make_blend(parts[0], all[0], 0.3));
  all.push_back(make_compound(SetOperation::subtract, {all[0], all[3], parts[4]}, dimension));
  return all;
}

TEST(Compounds, DistancesChangeNoFasterThanTheWayGoes) {
  for (const int dimension : {2, 3})
    for (const Shape& shape : compounds(dimension)) {
      EXPECT_EQ(shape.steepness, kSteepnessOfExact);
      RandomStream random(5, 0);
      for (int i = 0; i < 4000; ++i) {
        const Vec3d p = random_point(random, 1, dimension);
        const Vec3d way = random_point(random, i % 2 ? 0.5 : 1e-3, dimension);
        const double change =
            signed_distance(shape, p).distance - signed_distance(shape, p + way).distance;
        ASSERT_LE(std::abs(change), shape.steepness * std::sqrt(dot(way, way)) + 1e-12);
      }
    }
}

// The distance is Euclidean: following minus the normal by it leads onto the surface, and no
// surface is nearer.
TEST(Primitives, DistancesAreExact) {
  for (const int dimension : {2, 3})
    for (const Shape& shape : primitives(dimension)) {
      RandomStream random(3, 0);
      std::vector<Vec3d> surface;
      for (int i = 0; i < 4000; ++i) {
        const Vec3d p = random_point(random, 1, dimension);
        const DistanceAndNormal d = signed_distance(shape, p);
        EXPECT_NEAR(dot(d.normal, d.normal), 1, 1e-9);
        const Vec3d foot = p - d.normal * d.distance;
        EXPECT_NEAR(signed_distance(shape, foot).distance, 0, 1e-7)
            << static_cast<int>(shape.kind) << " in " << dimension << "D";
        surface.push_back(foot);
      }
      for (int i = 0; i < 200; ++i) {
        const Vec3d p = random_point(random, 1, dimension);
        const double distance = std::abs(signed_distance(shape, p).distance);
        for (const Vec3d& foot : surface)
          ASSERT_GE(std::sqrt(dot(p - foot, p - foot)), distance - 1e-7);
      }
    }
}

// Darts at the bounding box.
double hit_volume(const Shape& shape, int darts) {
  RandomStream random(5, 0);
  const Bounds box = bounding_box(shape);
  int hits = 0;
  double size = 1;
  for (int i = 0; i < shape.dimension; ++i) size *= box.high[i] - box.low[i];
  for (int k = 0; k < darts; ++k) {
    Vec3d p{{0, 0, 0}};
    for (int i = 0; i < shape.dimension; ++i)
      p[i] = box.low[i] + (box.high[i] - box.low[i]) * random.next_double();
    hits += signed_distance(shape, p).distance < 0;
  }
  return size * hits / darts;
}

TEST(Primitives, VolumesAreThoseOfTheirInside) {
  for (const int dimension : {2, 3})
    for (const Shape& shape : primitives(dimension))
      EXPECT_NEAR(volume(shape) / hit_volume(shape, 200'000), 1, 0.015)
          << static_cast<int>(shape.kind) << " in " << dimension << "D";
}

TEST(Primitives, RotationsAboutAnAxisAgreeWithAngles) {
  const Mat<double, 3> a = rotation_about({{0, 0, 2}}, 30), b = rotation_from_degrees({{0, 0, 30}});
  const Mat<double, 3> whole = rotation_about({{1, 2, 3}}, 360);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      EXPECT_NEAR(a(i, j), b(i, j), 1e-15);
      EXPECT_NEAR(whole(i, j), i == j, 1e-15);
    }
}

Shape box(const Vec3d& low, const Vec3d& high, int dimension = 3) {
  Shape shape = primitive(ShapeKind::box, (high - low) * 0.5, dimension);
  shape.center = (low + high) * 0.5;
  return shape;
}

TEST(Compound, SignsFollowTheOperation) {
  const Shape a = primitive(ShapeKind::ball, {{.5, 0, 0}});
  Shape b = primitive(ShapeKind::box, {{.4, .3, .5}});
  b.center = {{.3, .1, 0}};
  b.rotation = rotation_from_degrees({{10, 20, 30}});
  const Shape unite = make_compound(SetOperation::unite, {a, b}, 3),
              common = make_compound(SetOperation::intersect, {a, b}, 3),
              rest = make_compound(SetOperation::subtract, {a, b}, 3);
  RandomStream random(9, 0);
  for (int i = 0; i < 20000; ++i) {
    const Vec3d p = random_point(random, 1, 3);
    const bool in_a = signed_distance(a, p).distance < 0, in_b = signed_distance(b, p).distance < 0;
    EXPECT_EQ(signed_distance(unite, p).distance < 0, in_a || in_b);
    EXPECT_EQ(signed_distance(common, p).distance < 0, in_a && in_b);
    EXPECT_EQ(signed_distance(rest, p).distance < 0, in_a && !in_b);
  }
  EXPECT_NEAR(volume(unite) + volume(common), volume(a) + volume(b), 0.003 * volume(a));
  EXPECT_NEAR(volume(rest) + volume(common), volume(a), 0.003 * volume(a));
}

TEST(Compound, MovesAndScalesAsOne) {
  const Shape ring = make_compound(SetOperation::subtract,
                                   {primitive(ShapeKind::cylinder, {{.5, .2, 0}}),
                                    primitive(ShapeKind::cylinder, {{.3, .5, 0}})},
                                   3);
  const Mat<double, 3> turn = rotation_from_degrees({{30, 0, 45}});
  const Vec3d shift{{1, 2, 3}};
  const Shape moved = transformed(measured(ring), turn, 2, shift);
  RandomStream random(2, 0);
  for (int i = 0; i < 1000; ++i) {
    const Vec3d p = random_point(random, 1, 3);
    EXPECT_NEAR(signed_distance(moved, turn * p * 2.0 + shift).distance,
                2 * signed_distance(ring, p).distance, 1e-12);
  }
  EXPECT_NEAR(volume(moved), 8 * kPi * (.25 - .09) * .4, 0.01);
}

TEST(Compound, OfNothingIsEmptyAndOfPlanesEndless) {
  const Shape apart = make_compound(
      SetOperation::intersect, {box({{0, 0, 0}}, {{1, 1, 1}}), box({{2, 2, 2}}, {{3, 3, 3}})}, 3);
  EXPECT_EQ(volume(apart), 0);
  EXPECT_FALSE(sample_shape(apart, SamplingKind::poisson, 0.1, 1).ok());
  const Shape plane = primitive(ShapeKind::plane, {});
  const Shape endless =
      make_compound(SetOperation::unite, {plane, box({{0, 0, 0}}, {{1, 1, 1}})}, 3);
  EXPECT_FALSE(is_bounded(endless));
  const Shape half =
      make_compound(SetOperation::intersect, {plane, box({{-1, -1, -1}}, {{1, 1, 1}})}, 3);
  EXPECT_TRUE(is_bounded(half));
  EXPECT_NEAR(volume(half), 4, 0.04);
}

TEST(Compound, KnowsHowDeepShapesStandInShapes) {
  const Shape ball = primitive(ShapeKind::ball, {{1, 1, 1}});
  EXPECT_EQ(levels(ball), 0);
  Shape nested = make_compound(SetOperation::unite, {ball, ball}, 3);
  EXPECT_EQ(levels(nested), 1);
  for (int depth = 2; depth < 12; ++depth) {
    nested = make_compound(SetOperation::subtract, {ball, nested}, 3);
    EXPECT_EQ(levels(nested), depth);
  }
}

// Two boxes that merely touch are one body: its seam is as densely sampled as the rest.
TEST(Compound, SamplingHasNoGapAtASeam) {
  const Shape pair = make_compound(
      SetOperation::unite, {box({{0, 0, 0}}, {{.5, 1, 1}}), box({{.5, 0, 0}}, {{1, 1, 1}})}, 3);
  EXPECT_NEAR(volume(pair), 1, 0.01);
  for (const SamplingKind kind : {SamplingKind::poisson, SamplingKind::grid,
                                  SamplingKind::stratified, SamplingKind::random}) {
    const auto points = sample_shape(measured(pair), kind, 0.05, 1);
    ASSERT_TRUE(points.ok());
    EXPECT_NEAR(static_cast<double>(points->size()), 8000, 400);
    int at_seam = 0, beside = 0;
    for (const Vec3d& p : *points) {
      at_seam += std::abs(p[0] - 0.5) < 0.025;
      beside += std::abs(p[0] - 0.3) < 0.025;
    }
    EXPECT_NEAR(at_seam, beside, 0.2 * beside) << static_cast<int>(kind);
  }
}

TEST(Compound, SamplesOfATorusFillItEvenly) {
  const Shape torus = primitive(ShapeKind::torus, {{.4, .15, 0}});
  const auto points = sample_shape(torus, SamplingKind::poisson, 0.03, 4);
  ASSERT_TRUE(points.ok());
  EXPECT_NEAR(static_cast<double>(points->size()), expected_points(torus, 0.03),
              0.05 * expected_points(torus, 0.03));
  int sector[8] = {};
  for (const Vec3d& p : *points) {
    EXPECT_LT(signed_distance(torus, p).distance, 0);
    ++sector[static_cast<int>((std::atan2(p[2], p[0]) + kPi) / (2 * kPi) * 8) % 8];
  }
  for (const int count : sector)
    EXPECT_NEAR(count, points->size() / 8.0, 0.1 * points->size() / 8.0);
}

}  // namespace
}  // namespace firn
