// Half-spaces at rest in closed form: the same as what serves all obstacles.
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "collision/sweep.h"

namespace firn {
namespace {

constexpr double kCell = 0.1;

double between(RandomStream& random, double low, double high) {
  return low + (high - low) * random.next_double();
}
Vec3d within(RandomStream& random, double reach) {
  Vec3d x;
  for (int a = 0; a < 3; ++a) x[a] = between(random, -reach, reach);
  return x;
}

Collider random_plane(RandomStream& random) {
  Collider plane;
  plane.shape.kind = ShapeKind::plane;
  plane.shape.center = within(random, 3);
  plane.shape.rotation = rotation_from_degrees(within(random, 180));
  plane.shape.inside = random.next_double() < 0.3;
  plane.contact = random.next_double() < 0.5 ? ContactKind::separate : ContactKind::slip;
  plane.friction = between(random, 0, 1);
  plane.surface_velocity = within(random, 2);
  return plane;
}

TEST(FixedPlane, IsNotOneThatMovesDeformsOrVaries) {
  Collider plane;
  EXPECT_FALSE(is_fixed_plane(plane));  // a box
  plane.shape.kind = ShapeKind::plane;
  EXPECT_TRUE(is_fixed_plane(plane));
  for (bool Collider::*what : {&Collider::moves, &Collider::deforms, &Collider::varies}) {
    Collider other = plane;
    other.*what = true;
    EXPECT_FALSE(is_fixed_plane(other));
  }
}

// A particle of a run that diverged, along a surface: a cell at a time that would take years.
TEST(Sweep, PathsOfAbsurdLengthAreNotFollowed) {
  Collider plane;
  plane.shape.kind = ShapeKind::plane;
  plane.varies = true;  // not in closed form
  for (const double far : {1e6, 1e15, 1e100, double(INFINITY), double(NAN)}) {
    Vec3d to{{far, 0.02, 0}};
    keep_out(plane, {{0, 0.02, 0}}, to, kCell);
  }
  // What a step may do is followed.
  Vec3d to{{1, -0.3, 0}};
  EXPECT_TRUE(keep_out(plane, {{0, 0.2, 0}}, to, kCell));
  EXPECT_GT(to[1], 0);
}

TEST(FixedPlane, IsMetByNodesAsAnyObstacle) {
  for (std::uint64_t i = 0; i < 1000; ++i) {
    RandomStream random(3, i);
    const Collider plane = random_plane(random);
    const Vec3d x = within(random, 5), v = within(random, 3);
    const DistanceAndNormal expected = distance_to(plane, x), d = plane_distance(plane, x);
    EXPECT_NEAR(d.distance, expected.distance, 1e-13);
    const Contact<double, 3> a = plane_contact<double, 3>(plane, x, 0.1),
                             b = contact_at<double, 3>(plane, x, expected);
    const Vec3d after = resolve_contact(a, v, 0.1), other = resolve_contact(b, v, 0.1);
    for (int c = 0; c < 3; ++c) {
      EXPECT_NEAR(d.normal[c], expected.normal[c], 1e-14);
      EXPECT_NEAR(after[c], other[c], 1e-11);
    }
  }
}

// Paths that start anywhere from two cells above the surface to one below it.
TEST(FixedPlane, StopsParticlesWhereTheSearchDoes) {
  int stopped = 0, left = 0;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    RandomStream random(4, i);
    Collider plane = random_plane(random);
    if (i % 50 == 0) plane.contact = ContactKind::pin;
    const Vec3d normal = plane_distance(plane, plane.shape.center).normal;
    const bool close = i % 3 == 0;  // within a few gaps of the surface
    const double height = close ? between(random, -5, 5) * kSurfaceGap : between(random, -1, 2);
    const Vec3d from =
        plane.shape.center + along_surface(within(random, 1), normal) + normal * (height * kCell);
    const Vec3d aim = from + within(random, close ? 4 * kSurfaceGap * kCell : 1.2 * kCell);
    Vec3d to = aim, expected = aim;
    const bool changed = keep_out_of_plane(plane, from, to, kCell);
    ASSERT_EQ(changed, keep_out_by_search(plane, from, expected, kCell)) << i;
    for (int a = 0; a < 3; ++a) ASSERT_NEAR(to[a], expected[a], 1e-9 * kCell) << i;
    ++(changed ? stopped : left);
  }
  EXPECT_GT(stopped, 2000);
  EXPECT_GT(left, 2000);
}

}  // namespace
}  // namespace firn
