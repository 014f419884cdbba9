// Signed distances: exact, 1-Lipschitz, with unit normals everywhere.
#include "geometry/shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/random.h"

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

Shape make(ShapeKind kind, int dimension, bool turned, bool inside) {
  Shape s;
  s.kind = kind;
  s.dimension = dimension;
  s.size = {{0.7, 0.4, 0.9}};
  s.inside = inside;
  if (turned) {
    s.center = {{0.3, -0.2, dimension == 3 ? 0.1 : 0.0}};
    s.rotation = rotation_from_degrees(dimension == 3 ? Vec3d{{20, 35, -50}} : Vec3d{{0, 0, 33}});
  }
  return s;
}

std::vector<Shape> all_shapes() {
  std::vector<Shape> shapes;
  for (int dimension : {2, 3})
    for (auto kind : {ShapeKind::box, ShapeKind::ball, ShapeKind::cylinder, ShapeKind::plane})
      for (bool turned : {false, true})
        for (bool inside : {false, true}) shapes.push_back(make(kind, dimension, turned, inside));
  return shapes;
}

TEST(Shape, DistanceIsLipschitz) {
  RandomStream random(1, 0);
  for (const Shape& s : all_shapes())
    for (int k = 0; k < 2000; ++k) {
      const Vec3d a = random_in(random, 1.5, s.dimension);
      const Vec3d b = a + random_in(random, k % 2 ? 1.0 : 1e-3, s.dimension);
      const double change = signed_distance(s, a).distance - signed_distance(s, b).distance;
      ASSERT_LE(std::fabs(change), norm(a - b) * (1 + 1e-12) + 1e-15);
    }
}

// The walls of a container are solid where the container is, and as far away from inside.
TEST(Shape, WallsOfAContainerMakeUpTheContainer) {
  RandomStream random(3, 0);
  for (const Shape& s : all_shapes()) {
    if (!s.inside) continue;
    const std::vector<Shape> walls = walls_of(s);
    const bool corners = s.kind == ShapeKind::box || s.kind == ShapeKind::cylinder;
    EXPECT_EQ(walls.size() > 1, corners);
    for (int k = 0; k < 2000; ++k) {
      const Vec3d x = random_in(random, 1.5, s.dimension);
      const double whole = signed_distance(s, x).distance;
      double nearest = 1e9;
      for (const Shape& wall : walls)
        nearest = std::min(nearest, signed_distance(wall, x).distance);
      if (whole > 0)
        ASSERT_NEAR(nearest, whole, 1e-9);
      else
        ASSERT_LE(nearest, 1e-9);
    }
  }
}

// Only an exact distance leads to the surface in one step along the normal, from either side.
TEST(Shape, OneStepAlongTheNormalReachesTheSurface) {
  RandomStream random(2, 0);
  for (const Shape& s : all_shapes())
    for (int k = 0; k < 2000; ++k) {
      const Vec3d x = random_in(random, 1.5, s.dimension);
      const auto [distance, normal] = signed_distance(s, x);
      ASSERT_NEAR(norm(normal), 1, 1e-12);
      ASSERT_NEAR(signed_distance(s, x - normal * distance).distance, 0, 1e-12);
    }
}

TEST(Shape, NormalIsTheGradient) {
  RandomStream random(3, 0);
  int smooth = 0, tried = 0;
  for (const Shape& s : all_shapes())
    for (int k = 0; k < 500; ++k, ++tried) {
      const Vec3d x = random_in(random, 1.5, s.dimension);
      const Vec3d n = signed_distance(s, x).normal;
      constexpr double kStep = 1e-5;
      Vec3d gradient = Vec3d::zero();
      bool kink = false;
      for (int i = 0; i < s.dimension; ++i) {
        Vec3d a = x, b = x;
        a[i] += kStep;
        b[i] -= kStep;
        const auto da = signed_distance(s, a), db = signed_distance(s, b);
        gradient[i] = (da.distance - db.distance) / (2 * kStep);
        kink = kink || norm(da.normal - db.normal) > 0.01;
      }
      if (kink) continue;
      ++smooth;
      ASSERT_LT(norm(gradient - n), 1e-6);
    }
  EXPECT_GT(smooth, tried * 9 / 10);
}

// Independent of the formulas: the nearest of many points on the faces, and inside by definition.
TEST(Shape, MatchesBruteForceOnBoxAndCylinder) {
  constexpr int kSteps = 120;
  RandomStream random(4, 0);
  for (ShapeKind kind : {ShapeKind::box, ShapeKind::cylinder}) {
    const Shape s = make(kind, 3, false, false);
    const double r = s.size[0], h = s.size[1];
    std::vector<Vec3d> surface;
    for (int i = 0; i <= kSteps; ++i)
      for (int j = 0; j <= kSteps; ++j) {
        const double u = 2.0 * i / kSteps - 1, v = 2.0 * j / kSteps - 1, angle = kPi * u;
        for (double side : {-1.0, 1.0}) {
          if (kind == ShapeKind::box) {
            surface.push_back({{side * r, u * h, v * s.size[2]}});
            surface.push_back({{u * r, side * h, v * s.size[2]}});
            surface.push_back({{u * r, v * h, side * s.size[2]}});
          } else {
            const double q = r * 0.5 * (v + 1);
            surface.push_back({{q * std::cos(angle), side * h, q * std::sin(angle)}});
          }
        }
        if (kind == ShapeKind::cylinder)
          surface.push_back({{r * std::cos(angle), v * h, r * std::sin(angle)}});
      }
    for (int k = 0; k < 100; ++k) {
      const Vec3d x = random_in(random, 1.3, 3);
      double nearest = 1e9;
      for (const Vec3d& p : surface) nearest = std::min(nearest, norm(x - p));
      const bool inside =
          kind == ShapeKind::box
              ? std::fabs(x[0]) < r && std::fabs(x[1]) < h && std::fabs(x[2]) < s.size[2]
              : std::hypot(x[0], x[2]) < r && std::fabs(x[1]) < h;
      const double phi = signed_distance(s, x).distance;
      EXPECT_EQ(phi < 0, inside);
      EXPECT_LE(std::fabs(phi), nearest + 1e-12);
      EXPECT_NEAR(std::fabs(phi), nearest, 0.01);
    }
  }
}

TEST(Shape, NormalsAreUnitInSpecialPlaces) {
  const std::vector<Vec3d> local = {
      {{0, 0, 0}},       {{0.7, 0.4, 0.9}}, {{0.7, 0, 0}},   {{0, 0.4, 0}},    {{0, 1, 0}},
      {{-0.7, -0.4, 0}}, {{1e-200, 0, 0}},  {{0.7, 0.4, 0}}, {{0, -0.4, 0.7}}, {{1e-160, 1, 0}}};
  for (Shape s : all_shapes())
    for (Vec3d p : local) {
      if (s.dimension == 2) p[2] = 0;
      const auto r = signed_distance(s, from_shape_frame(s, p));
      EXPECT_NEAR(norm(r.normal), 1, 1e-12);
      EXPECT_TRUE(std::isfinite(r.distance));
    }
}

TEST(Shape, KnownDistances) {
  const Shape box = make(ShapeKind::box, 3, false, false);
  EXPECT_NEAR(signed_distance(box, {{1.0, 0.8, 0}}).distance, 0.5, 1e-15);
  EXPECT_NEAR(signed_distance(box, {{0.1, 0.3, 0}}).distance, -0.1, 1e-15);
  const Shape cylinder = make(ShapeKind::cylinder, 3, false, false);
  EXPECT_NEAR(signed_distance(cylinder, {{0.6, 0.8, 0.8}}).distance, 0.5, 1e-15);
  const Shape flat = make(ShapeKind::cylinder, 2, false, false);
  EXPECT_NEAR(signed_distance(flat, {{1.0, 0.8, 55}}).distance, 0.5, 1e-15);
  Shape container = make(ShapeKind::ball, 3, false, true);
  EXPECT_NEAR(signed_distance(container, {{0, 0.5, 0}}).distance, 0.2, 1e-15);
  EXPECT_NEAR(signed_distance(container, {{0, 0.5, 0}}).normal[1], -1, 1e-15);
}

TEST(Shape, BoundingBoxIsTightAndVolumeMatchesIt) {
  RandomStream random(5, 0);
  for (const Shape& s : all_shapes()) {
    if (!is_bounded(s)) continue;
    const Bounds bounds = bounding_box(s);
    Vec3d low = Vec3d::fill(1e9), high = Vec3d::fill(-1e9);
    double box_volume = 1;
    int inside = 0;
    constexpr int kTries = 100000;
    for (int k = 0; k < kTries; ++k) {
      Vec3d x, far = random_in(random, 30, s.dimension);
      for (int i = 0; i < 3; ++i)
        x[i] = bounds.low[i] + random.next_double() * (bounds.high[i] - bounds.low[i]);
      inside += signed_distance(s, x).distance < 0;
      const auto r = signed_distance(s, far);
      for (int i = 0; i < 3; ++i) {
        low[i] = std::min(low[i], far[i] - r.distance * r.normal[i]);
        high[i] = std::max(high[i], far[i] - r.distance * r.normal[i]);
      }
    }
    for (int i = 0; i < s.dimension; ++i) {
      EXPECT_GE(low[i], bounds.low[i] - 1e-9);
      EXPECT_LE(high[i], bounds.high[i] + 1e-9);
      EXPECT_NEAR(low[i], bounds.low[i], 1e-3);
      EXPECT_NEAR(high[i], bounds.high[i], 1e-3);
      box_volume *= bounds.high[i] - bounds.low[i];
    }
    EXPECT_NEAR(box_volume * inside / kTries, volume(s), 0.02 * volume(s));
  }
  EXPECT_TRUE(std::isinf(volume(make(ShapeKind::plane, 3, false, false))));
}

TEST(Shape, EulerAnglesTurnAboutXThenYThenZ) {
  const Mat<double, 3> quarter = rotation_from_degrees({{90, 90, 0}});
  const Vec3d z = quarter * Vec3d{{0, 1, 0}};  // x turns y to z, then y turns z to x
  EXPECT_TRUE((z == Vec3d{{1, 0, 0}}));
  const Vec3d up = rotation_from_degrees({{0, 0, 90}}) * Vec3d{{1, 0, 0}};
  EXPECT_TRUE((up == Vec3d{{0, 1, 0}}));
  const Vec3d back = rotation_from_degrees({{0, -270, 360}}) * Vec3d{{0, 0, 1}};
  EXPECT_TRUE((back == Vec3d{{1, 0, 0}}));
  const Mat<double, 3> r = rotation_from_degrees({{12, -77, 145}});
  const Mat<double, 3> i = transpose(r) * r;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) EXPECT_NEAR(i(a, b), a == b, 1e-15);
  EXPECT_NEAR(determinant(r), 1, 1e-15);
}

}  // namespace
}  // namespace firn
