// Drag of air on one particle.
#include "sph/air_drag.h"

#include <gtest/gtest.h>

#include "sph/air_settings.h"

namespace firn {
namespace {

using Vec3 = Vec<double, 3>;

TEST(SphAir, AFallEndsAtItsFinalSpeedWhateverTheStep) {
  AirSettings air;
  const double drag = air.drag(2650), gravity = 9.81;
  for (const double dt : {1e-4, 0.01, 0.3, 5.0}) {
    double speed = 0;
    for (double t = 0; t < 20; t += dt) {
      const double pushed = speed + dt * gravity;
      speed = pushed * left_of_speed(pushed, drag, dt);
    }
    EXPECT_NEAR(speed, std::sqrt(gravity / drag), 1e-3 * speed) << dt;
  }
  EXPECT_NEAR(std::sqrt(gravity / drag), 5.5, 0.1);
}

TEST(SphAir, DragNeverTurnsAMotionRound) {
  for (const double drag : {0.0, 1.0, 1e12})
    for (const double speed : {1e-9, 1.0, 1e6}) {
      const double left = left_of_speed(speed, drag, 1.0);
      EXPECT_GE(left, 0);
      EXPECT_LE(left, 1);
    }
}

TEST(SphAir, WindFlowsAlongASurface) {
  const Vec3 wind{{3, 4, 0}}, none{{0, 0, 0}}, steep{{0, 2, 0}}, faint{{0, 0.05, 0}};
  EXPECT_EQ(wind_along_surface(wind, none), wind);
  EXPECT_NEAR(wind_along_surface(wind, steep)[1], 0, 1e-12);
  EXPECT_NEAR(wind_along_surface(wind, steep)[0], 3, 1e-12);
  EXPECT_NEAR(wind_along_surface(wind, faint)[1], 4 * 0.9, 1e-12);
}

TEST(SphAir, ShelterGoesFromNoneToAll) {
  const double cone = std::cos(30 * kDegree);
  EXPECT_EQ(share_beside(-1.0, cone), 1);
  EXPECT_EQ(share_beside(cone, cone), 1);
  EXPECT_EQ(share_beside(1.0, cone), 0);
  EXPECT_EQ(share_in_air(0.0), 0);
  EXPECT_EQ(share_in_air(0.5), 1);
  EXPECT_EQ(share_before_wall(1.0, 0.25), 0);
  EXPECT_EQ(share_before_wall(0.0, 0.25), 1);
  EXPECT_EQ(share_before_wall(-1.0, 0.0), 1);
}

}  // namespace
}  // namespace firn
