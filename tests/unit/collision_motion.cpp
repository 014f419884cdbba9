// Prescribed motion: interpolation between keys, poses, velocities of bodies, the step limit.
#include <gtest/gtest.h>

#include <cmath>

#include "collision/collider_set.h"

namespace firn {
namespace {

TEST(Keys, AreMetAndNotOvershot) {
  const std::vector<double> times{0, 1, 3, 4}, values{0, 2, 2, -1};
  for (const bool smooth : {false, true}) {
    for (std::size_t i = 0; i < times.size(); ++i)
      EXPECT_NEAR(interpolate_keys(times, values, smooth, times[i]), values[i], 1e-14);
    EXPECT_EQ(interpolate_keys(times, values, smooth, -5), 0);
    EXPECT_EQ(interpolate_keys(times, values, smooth, 9), -1);
    for (double t = 0; t < 4; t += 0.01) {
      const double v = interpolate_keys(times, values, smooth, t);
      EXPECT_LE(v, 2 + 1e-12);
      EXPECT_GE(v, -1 - 1e-12);
      if (t > 1 && t < 3) {
        EXPECT_NEAR(v, 2, 1e-12);
      }
    }
  }
  // Smooth motion has no jump of velocity.
  const double e = 1e-6;
  const auto slope = [&](double t) {
    return (interpolate_keys(times, values, true, t + e) -
            interpolate_keys(times, values, true, t - e)) /
           (2 * e);
  };
  for (const double t : times) EXPECT_NEAR(slope(t - 1e-4), slope(t + 1e-4), 1e-2);
}

BodyMotion turning() {
  BodyMotion motion;
  motion.smooth = false;
  motion.pivot = {{1, 0, 0}};
  motion.keys = {{0, {{0, 0, 0}}, {{0, 0, 0}}, 1}, {2, {{0, 4, 0}}, {{0, 0, 180}}, 2}};
  return motion;
}

TEST(BodyMotion, TurnsAndScalesAboutItsPivot) {
  const BodyMotion motion = turning();
  const Pose start = motion.at(0), end = motion.at(2);
  const Vec3d p{{1.5, 0, 0}};
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(start.to_world(p)[a], p[a], 1e-15);
  const Vec3d moved = end.to_world(p);
  EXPECT_NEAR(moved[0], 0, 1e-12);  // half a turn and twice as far from the pivot
  EXPECT_NEAR(moved[1], 4, 1e-12);
  for (double t = 0; t < 2; t += 0.3) {
    const Pose pose = motion.at(t);
    const Vec3d back = pose.to_body(pose.to_world(p));
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(back[a], p[a], 1e-12);
  }
  EXPECT_FALSE(motion.at_rest());
}

TEST(BodyMotion, RepeatsWhenAsked) {
  BodyMotion motion = turning();
  EXPECT_NEAR(motion.at(100).scale, 2, 1e-14);
  motion.repeats = true;
  EXPECT_NEAR(motion.at(5).scale, motion.at(1).scale, 1e-12);
}

Collider ball(double radius) {
  Collider c;
  c.shape.kind = ShapeKind::ball;
  c.shape.size = Vec3d::fill(radius);
  return c;
}

TEST(ColliderSet, VelocityIsWhereItsPointsGoInTheStep) {
  ColliderSet set;
  set.add(ball(0.5), std::make_shared<BodyMotion>(turning()), nullptr);
  set.set_step(0.4, 0.1);
  const Collider& c = set.all()[0];
  const Vec3d x{{1.2, 1.1, 0.3}};
  const Vec3d expected = (c.next.to_world(c.now.to_body(x)) - x) / 0.1;
  const Vec3d v = velocity_at(c, x, {{0, 1, 0}});
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(v[a], expected[a], 1e-12);
  // The distance scales with the body.
  const Vec3d on_surface = c.now.to_world({{0.5, 0, 0}});
  EXPECT_NEAR(distance_to(c, on_surface).distance, 0, 1e-12);
  const Vec3d beyond = c.now.to_world({{0.75, 0, 0}});
  EXPECT_NEAR(distance_to(c, beyond).distance, 0.25 * c.now.scale, 1e-12);
}

// A growing ball pushes with the speed of its surface, also when it grows by deformation.
TEST(ColliderSet, DeformationMovesTheSurface) {
  auto keys = std::make_shared<std::vector<ShapeKey>>();
  keys->push_back({0, ball(0.5).shape});
  keys->push_back({2, ball(0.9).shape});
  ColliderSet set;
  set.add(ball(0.5), nullptr, keys);
  set.set_step(1, 0.05);
  const Collider& c = set.all()[0];
  const Vec3d x{{0.7, 0, 0}};
  const DistanceAndNormal d = distance_to(c, x);
  EXPECT_NEAR(d.distance, 0, 1e-12);
  EXPECT_NEAR(velocity_at(c, x, d.normal)[0], 0.2, 1e-12);
}

TEST(ColliderSet, AdvanceCountsOnlyNearParticles) {
  ColliderSet set;
  set.add(ball(0.1), std::make_shared<BodyMotion>(turning()), nullptr);
  set.set_step(0, 0.1);
  const Bounds here{{{-1, -1, -1}}, {{1, 1, 1}}}, far{{{50, 50, 50}}, {{51, 51, 51}}};
  EXPECT_GT(set.largest_advance(here, 0.02).distance, 0.05);
  EXPECT_EQ(set.largest_advance(far, 0.02).distance, 0);
  EXPECT_TRUE(set.any_moves());
}

TEST(Contact, PinsHoldWhatIsInsideOnly) {
  Collider pin = ball(0.5);
  pin.contact = ContactKind::pin;
  const int first = 0;
  const Vec<double, 3> v{{1, 2, 3}};
  const auto inside = apply_colliders<double, 3>(&pin, &first, 1, {{0.3, 0, 0}}, v, 0.01);
  const auto outside = apply_colliders<double, 3>(&pin, &first, 1, {{0.501, 0, 0}}, v, 0.01);
  for (int a = 0; a < 3; ++a) {
    EXPECT_EQ(inside[a], 0);
    EXPECT_EQ(outside[a], v[a]);
  }
}

TEST(Contact, ABeltDragsAlongItsSurface) {
  Collider belt;
  belt.shape.kind = ShapeKind::plane;
  belt.friction = 10;
  belt.surface_velocity = {{2, 5, 0}};  // the part across the surface does not count
  const int first = 0;
  const auto v = apply_colliders<double, 3>(&belt, &first, 1, {{0, -0.01, 0}},
                                            Vec<double, 3>{{0, -1, 0}}, 0.01);
  EXPECT_NEAR(v[0], 2, 1e-12);
  EXPECT_NEAR(v[1], 0, 1e-12);
}

TEST(Contact, FrictionAndStickinessVary) {
  Collider floor;
  floor.shape.kind = ShapeKind::plane;
  floor.varies = true;
  floor.stickiness.has_program = true;
  // x > 0
  Program& p = floor.stickiness.program;
  p.code[0] = {Op::variable, 0};
  p.code[1] = {Op::constant, 0};
  p.code[2] = {Op::greater, 0};
  p.length = 3;
  p.constants[0] = 0;
  p.constant_count = 1;
  const int first = 0;
  const Vec<double, 3> v{{1, -1, 0}};
  const auto sticky = apply_colliders<double, 3>(&floor, &first, 1, {{1, -0.01, 0}}, v, 0.01);
  const auto smooth = apply_colliders<double, 3>(&floor, &first, 1, {{-1, -0.01, 0}}, v, 0.01);
  EXPECT_EQ(sticky[0], 0);
  EXPECT_EQ(smooth[0], 1);
}

}  // namespace
}  // namespace firn
