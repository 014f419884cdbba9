// Grip: friction that a held node has not used holds it a little later, and never adds to the sum.
#include <gtest/gtest.h>

#include <cmath>

#include "collision/collider.h"

namespace firn {
namespace {

constexpr double kDt = 1e-3, kFriction = 0.3, kTime = 0.05;

struct Slide {
  double speed = 0;                 // m/s, at the end
  double friction = 0, normal = 0;  // m/s, sums of what the contact did
};

// A node on a floor that is pushed along by `drive` (m/s2) and down by a force that swings around
// g.
Slide slide(double drive, double swing, double start, int steps, bool keeps_grip) {
  const Contact<double, 2> floor{ContactKind::separate, kFriction, 0, {{0, 1}}, {{0, 0}}};
  Vec<double, 2> v{{start, 0}};
  double grip = 0;
  Slide slide;
  for (int i = 0; i < steps; ++i) {
    const double weight = 9.81 * (1 + swing * std::sin(2 * 3.14159265358979 * i * kDt / 0.03));
    v += Vec<double, 2>{{drive * kDt, -weight * kDt}};
    const Vec<double, 2> before = v;
    v = keeps_grip ? resolve_contact(floor, v, kDt, grip) : resolve_contact(floor, v, kDt);
    grip = lasting_grip(grip, kDt, kTime);
    slide.friction += before[0] - v[0];
    slide.normal += v[1] - before[1];
    EXPECT_LE(slide.friction, kFriction * slide.normal + 1e-12);
  }
  slide.speed = v[0];
  return slide;
}

// 0.25 of the weight on average, against 0.3: without grip it slips whenever the force is low.
TEST(Grip, HoldsThroughVibrations) {
  EXPECT_EQ(slide(0.25 * 9.81, 0.9, 0, 3000, true).speed, 0);
  double fastest = 0;
  for (int steps = 1000; steps < 1030; ++steps)
    fastest = std::max(fastest, slide(0.25 * 9.81, 0.9, 0, steps, false).speed);
  EXPECT_GT(fastest, 0.005);
}

// More than friction can bear on average: it slides as Coulomb says, up to what was in store.
TEST(Grip, DoesNotHoldWhatCoulombDoesNot) {
  const double drive = 0.33 * 9.81, time = 3;
  const Slide with = slide(drive, 0.9, 0, 3000, true);
  EXPECT_NEAR(with.speed, 0.03 * 9.81 * time, 0.3 * 9.81 * kTime);
  EXPECT_GT(with.speed, 0.8 * 0.03 * 9.81 * time);
}

// What slides has no grip: nothing changes.
TEST(Grip, SlidingIsCoulombsToTheLetter) {
  const Slide with = slide(0.1 * 9.81, 0.9, 2, 500, true),
              without = slide(0.1 * 9.81, 0.9, 2, 500, false);
  EXPECT_GT(with.speed, 0.5);
  EXPECT_EQ(with.speed, without.speed);
}

TEST(Grip, IsGoneAfterAWhile) {
  double grip = 1;
  for (int i = 0; i < 500; ++i) grip = lasting_grip(grip, kDt, kTime);
  EXPECT_LT(grip, 1e-4);
  for (int i = 0; i < 5000; ++i) grip = lasting_grip(grip, kDt, kTime);
  EXPECT_EQ(grip, 0);
}

// Smooth surfaces neither use nor make any.
TEST(Grip, SmoothContactLeavesItAlone) {
  const Contact<double, 2> floor{ContactKind::separate, 0, 0, {{0, 1}}, {{0, 0}}};
  double grip = 0.5;
  const Vec<double, 2> after = resolve_contact(floor, Vec<double, 2>{{0.1, -1}}, kDt, grip);
  EXPECT_EQ(after[0], 0.1);
  EXPECT_EQ(grip, 0.5);
}

}  // namespace
}  // namespace firn
