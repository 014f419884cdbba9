// How much of a kernel obstacles hold that are no planes.
#include "sph/wall_map.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sph/smoothing.h"

namespace firn {
namespace {

constexpr double kCell = 0.1;

Shape shape_of(ShapeKind kind, const Vec3d& size, int dimension) {
  Shape shape;
  shape.kind = kind;
  shape.size = size;
  shape.dimension = dimension;
  return shape;
}

// What the map of one body says at x; the body may be elsewhere than at rest.
template <int D>
double share_at(const Shape& shape, const Vec3d& x, const Pose* pose = nullptr) {
  Collider collider;
  collider.shape = shape;
  if (pose) {
    collider.moves = true;
    collider.now = collider.next = *pose;
  }
  const ColliderSet set(std::vector<Collider>{collider});
  const WallMaps maps = WallMaps::of<D>(set, SmoothingKind::spiky, kCell);
  const FlatWall flat = flat_wall_of(maps.all()[0], collider, x, distance_to(collider, x));
  return wall_share<D>(SmoothingKind::spiky).at(flat.distance / kCell);
}

// The kernel's integral over a solid, by many small cubes.
template <int D>
double counted_share(const Shape& shape, const Vec3d& x) {
  return with_smoothing<D>(SmoothingKind::spiky, [&](auto kernel) {
    constexpr int kCubes = 30;  // along the radius
    double sum = 0, all = 0;
    const auto middle = [](int i) { return (i + 0.5) / kCubes; };
    for (int i = -kCubes; i < kCubes; ++i)
      for (int j = -kCubes; j < kCubes; ++j)
        for (int k = D == 3 ? -kCubes : 0; k < (D == 3 ? kCubes : 1); ++k) {
          const Vec3d y{{middle(i), middle(j), D == 3 ? middle(k) : 0}};
          const double held = kernel.value(std::sqrt(dot(y, y)));
          all += held;
          if (signed_distance(shape, x + y * kCell).distance < 0) sum += held;
        }
    return sum / all;
  });
}

TEST(SphWallMap, CurvedThinAndSharpSolidsHoldWhatTheIntegralSays) {
  constexpr double kClose = 0.03;  // samples a quarter of a cell apart, in 2D an eighth
  const Shape ball = shape_of(ShapeKind::ball, {{0.25, 0, 0}}, 3);
  const Shape plate = shape_of(ShapeKind::box, {{0.5, 0.02, 0.5}}, 3);
  const Shape disc = shape_of(ShapeKind::ball, {{0.2, 0, 0}}, 2);
  const Shape block = shape_of(ShapeKind::box, {{0.3, 0.3, 0}}, 2);
  for (const double away : {0.0, 0.0125, 0.025, 0.05}) {
    for (const Vec3d& way : {Vec3d{{0, 1, 0}}, Vec3d{{0.6, 0, 0.8}}}) {
      const Vec3d at_ball = way * (0.25 + away);
      EXPECT_NEAR(share_at<3>(ball, at_ball), counted_share<3>(ball, at_ball), kClose) << away;
    }
    const Vec3d at_plate{{0.1, 0.02 + away, 0.03}}, at_rim{{0.5 + away, 0, 0}};
    EXPECT_NEAR(share_at<3>(plate, at_plate), counted_share<3>(plate, at_plate), kClose) << away;
    EXPECT_NEAR(share_at<3>(plate, at_rim), counted_share<3>(plate, at_rim), 2 * kClose) << away;
    const Vec3d at_disc{{0.6 * (0.2 + away), 0.8 * (0.2 + away), 0}};
    EXPECT_NEAR(share_at<2>(disc, at_disc), counted_share<2>(disc, at_disc), kClose) << away;
    const Vec3d at_edge{{0.3 + away, 0.3 - away, 0}};
    EXPECT_NEAR(share_at<2>(block, at_edge), counted_share<2>(block, at_edge), kClose) << away;
  }
  // A plane's share would miss by far more.
  const WallShare flat = wall_share<3>(SmoothingKind::spiky);
  EXPECT_GT(flat.at(0) - counted_share<3>(plate, {{0.5, 0, 0}}), 0.2);
}

TEST(SphWallMap, ContainersHoldWhatTheirHollowDoesNot) {
  Shape hollow = shape_of(ShapeKind::ball, {{0.25, 0, 0}}, 3);
  const Vec3d x{{0, 0.23, 0}};
  const double solid = share_at<3>(hollow, x);
  hollow.inside = true;
  EXPECT_NEAR(share_at<3>(hollow, x), 1 - solid, 1e-12);
}

TEST(SphWallMap, FlatFacesAreTheirDistance) {
  const Shape block = shape_of(ShapeKind::box, {{0.4, 0.3, 0.4}}, 3);
  const WallShare flat = wall_share<3>(SmoothingKind::spiky);
  for (const double away : {-0.05, 0.01, 0.04, 0.08})
    EXPECT_NEAR(share_at<3>(block, {{0.1, 0.3 + away, -0.05}}), flat.at(away / kCell), 2e-3);
}

TEST(SphWallMap, GoesAlongWithItsBody) {
  const Shape plate = shape_of(ShapeKind::box, {{0.3, 0.02, 0.3}}, 3);
  Pose pose;
  pose.rotation = rotation_about({{1, 2, 3}}, 70);
  pose.translation = {{3, -1, 2}};
  const Vec3d rest{{0.28, 0.04, 0.1}};
  EXPECT_NEAR(share_at<3>(plate, pose.to_world(rest), &pose), share_at<3>(plate, rest), 1e-9);
}

TEST(SphWallMap, InACornerTheGradientLeadsAwayFromBothSides) {
  Shape hollow = shape_of(ShapeKind::box, {{0.4, 0.3, 0}}, 2);
  hollow.inside = true;
  Collider collider;
  collider.shape = hollow;
  const ColliderSet set(std::vector<Collider>{collider});
  const WallMaps maps = WallMaps::of<2>(set, SmoothingKind::spiky, kCell);
  const Vec3d x{{0.375, 0.274, 0}};
  const FlatWall flat = flat_wall_of(maps.all()[0], collider, x, distance_to(collider, x));
  EXPECT_LT(flat.gradient[0], -0.3);
  EXPECT_LT(flat.gradient[1], -0.3);
}

TEST(SphWallMap, ALatticeHalfASpacingOffAWallLacksNothing) {
  constexpr double kSpacing = 0.5;  // cells
  for (const SmoothingKind kind :
       {SmoothingKind::spiky, SmoothingKind::cubic_spline, SmoothingKind::wendland}) {
    const WallShare share = wall_share<3>(kind);
    const double gap = wall_gap<3>(share, kind, kSpacing);
    EXPECT_NEAR(share.at(kSpacing / 2 + gap), lattice_share_behind<3>(kind, kSpacing), 1e-9);
    EXPECT_LT(std::abs(gap), 0.2);
  }
}

}  // namespace
}  // namespace firn
