// A node among more obstacles than are listed for it: none is left out.
#include <gtest/gtest.h>

#include <numeric>

#include "base/random.h"
#include "collision/collider.h"

namespace firn {
namespace {

constexpr double kDt = 0.01;

Vec3d random_vector(RandomStream& random, double size) {
  Vec3d v;
  for (int i = 0; i < 3; ++i) v[i] = size * (2 * random.next_double() - 1);
  return v;
}

Collider plane(const Vec3d& angles, double friction) {
  Collider c;
  c.shape.kind = ShapeKind::plane;
  c.shape.rotation = rotation_from_degrees(angles);
  c.contact = ContactKind::separate;
  c.friction = friction;
  return c;
}

std::vector<int> count_to(std::size_t n) {
  std::vector<int> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

// Overhanging walls first, the floor last: only the first eight used to be met.
TEST(Crowd, TheNinthToTwelfthObstacleHold) {
  for (std::size_t floors : {1, 4}) {
    std::vector<Collider> cup;
    for (int i = 0; i < 8; ++i) cup.push_back(plane({{0, 0, (i % 2 ? 1.0 : -1.0) * (91 + i)}}, 0));
    for (std::size_t i = 0; i < floors; ++i) cup.push_back(plane({{0, 0, 1.5 - double(i)}}, 0.3));
    const std::vector<int> all = count_to(cup.size());
    const Vec3d v{{0.01, -1, 0}};
    const Vec3d after = apply_colliders(cup.data(), all.data(), static_cast<int>(all.size()),
                                        Vec3d::zero(), v, kDt);
    for (const Collider& wall : cup) {
      const auto [phi, normal] = signed_distance(wall.shape, Vec3d::zero());
      EXPECT_GE(dot(after, normal), -1e-12);
    }
    EXPECT_NEAR(std::sqrt(dot(after, after)), 0, 1e-9);
  }
}

// Whatever their number: none is entered, no energy appears, and what they did adds up to what
// happened.
TEST(Crowd, AnyNumberIsObeyed) {
  RandomStream random(8, 0);
  int held = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    std::vector<Collider> walls;
    const int n = 9 + trial % 24;
    // Around a cone of free directions, so that not all nodes are stopped.
    for (int k = 0; k < n; ++k)
      walls.push_back(plane(random_vector(random, 70), trial % 3 ? 0 : random.next_double()));
    const std::vector<int> all = count_to(walls.size());
    const Vec3d x = random_vector(random, 0.005), v = random_vector(random, 3);
    double grip = 0;
    Vec3d given = Vec3d::zero();
    const Vec3d after = apply_colliders<double, 3>(
        walls.data(), all.data(), n, x, v, kDt, grip,
        [&](int k) { return distance_to(walls[k], x); },
        [&](int, const Vec3d& change) { given += change; });
    ASSERT_LE(dot(after, after), dot(v, v) * (1 + 1e-12));
    const Vec3d rest = v + given - after;
    ASSERT_LT(dot(rest, rest), 1e-20);
    for (const Collider& wall : walls) {
      const auto [phi, normal] = signed_distance(wall.shape, x);
      ASSERT_GE(phi + kDt * dot(after, normal), std::min(phi, 0.0) - 1e-12);
    }
    held += !(after == v);
  }
  EXPECT_GT(held, 1000);
}

// A valley of many smooth planes along z: the way along it is free.
TEST(Crowd, LeavesTheWayAlongACreaseFree) {
  std::vector<Collider> walls;
  for (int k = 0; k < 12; ++k) walls.push_back(plane({{0, 0, k % 2 ? 60.0 + k : -60.0 - k}}, 0));
  const std::vector<int> all = count_to(walls.size());
  const Vec3d after =
      apply_colliders(walls.data(), all.data(), 12, Vec3d{{0, 0, 0}}, Vec3d{{0.3, -1, 2}}, kDt);
  EXPECT_NEAR(after[0], 0, 1e-9);
  EXPECT_NEAR(after[1], 0, 1e-9);
  EXPECT_NEAR(after[2], 2, 1e-9);
}

}  // namespace
}  // namespace firn
