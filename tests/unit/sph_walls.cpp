// One particle and its walls.
#include <gtest/gtest.h>

#include <cmath>

#include "sph/wall_contact.h"

namespace firn {
namespace {

using V = Vec<double, 2>;
constexpr double kDt = 0.01;

WallContact<double, 2> floor_with(double friction, double phi, double push = 0) {
  return {{ContactKind::separate, friction, phi, V{{0, 1}}, V{{0, 0}}}, V{{0, push}}, 0};
}

TEST(SphWalls, NothingIsPushedInto) {
  const auto floor = floor_with(0, 0.02);
  const V v = meet_walls<double, 2>(&floor, 1, V{{1, -5}}, 0, 1, kDt, nullptr);
  EXPECT_DOUBLE_EQ(v[0], 1);
  EXPECT_DOUBLE_EQ(v[1], -2);  // as far as the floor is
}

TEST(SphWalls, FrictionIsBoundedByWhatPressesInAll) {
  const double pressed = 0.3;  // m/s by pressure
  const auto floor = floor_with(0.5, 0, 2);
  V change;
  const V v = meet_walls<double, 2>(&floor, 1, V{{1, -0.7}}, pressed / 2, 1, kDt, &change);
  // 0.3 by pressure, 0.4 by the surface: friction takes half of both.
  EXPECT_NEAR(v[0], 1 - 0.5 * 0.7, 1e-12);
  EXPECT_NEAR(v[1], 0, 1e-12);
  EXPECT_NEAR(change[0], -0.35, 1e-12);
  EXPECT_NEAR(change[1], 0.7, 1e-12);
  const V slow = meet_walls<double, 2>(&floor, 1, V{{0.2, -0.7}}, pressed / 2, 1, kDt, nullptr);
  EXPECT_EQ(slow[0], 0);
}

TEST(SphWalls, StickyHoldsWhatIsPressed) {
  auto floor = floor_with(0, 0.005, 2);
  floor.contact.kind = ContactKind::sticky;
  EXPECT_EQ((meet_walls<double, 2>(&floor, 1, V{{3, 0}}, 0.1, 1, kDt, nullptr)[0]), 0);
  EXPECT_EQ((meet_walls<double, 2>(&floor, 1, V{{3, 0}}, 0, 1, kDt, nullptr)[0]), 3);
}

TEST(SphWalls, MovingBodiesTakeAlong) {
  auto belt = floor_with(100, 0, 0);
  belt.contact.v_body = V{{2, 0.5}};
  const V v = meet_walls<double, 2>(&belt, 1, V{{0, 0}}, 0, 1, kDt, nullptr);
  EXPECT_NEAR(v[0], 2, 1e-12);
  EXPECT_NEAR(v[1], 0.5, 1e-12);
}

TEST(SphWalls, CornersHoldBothWays) {
  const WallContact<double, 2> corner[2] = {
      floor_with(0.2, 0), {{ContactKind::separate, 0.2, 0, V{{1, 0}}, V{{0, 0}}}, V{{0, 0}}, 1}};
  V change[2];
  const V start{{-1, -1}};
  const V v = meet_walls<double, 2>(corner, 2, start, 0, 1, kDt, change);
  EXPECT_NEAR(v[0], 0, 1e-12);
  EXPECT_NEAR(v[1], 0, 1e-12);
  for (int a = 0; a < 2; ++a) EXPECT_NEAR(start[a] + change[0][a] + change[1][a], v[a], 1e-12);
}

}  // namespace
}  // namespace firn
