// How dt follows from signals, viscosity and what is left of a frame.
#include "solver/step_rule.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace firn {
namespace {

TEST(StepRule, SignalsCrossTheReachInAStep) {
  const StepRule rule{0, 1, 0.01, 0};
  for (const double signal : {0.1, 3.0, 340.0, 1e5})
    EXPECT_NEAR(rule.stable_dt(signal) * signal, 0.01, 1e-12);
}

TEST(StepRule, IsBoundedWhereNothingMoves) {
  EXPECT_EQ((StepRule{0, 2e-3, 0.01, 0}).stable_dt(0), 2e-3);
  EXPECT_EQ((StepRule{0, 2e-3, 0.01, 0}).stable_dt(1e-300), 2e-3);
}

TEST(StepRule, ViscosityAloneBoundsIt) {
  EXPECT_NEAR((StepRule{0, 1, 0.01, 500}).stable_dt(0), 1.0 / 500, 1e-15);
}

// (dt signal / reach)^2 + viscous dt = 1, whatever the shares.
TEST(StepRule, WavesAndViscosityShareAStep) {
  for (const double signal : {0.5, 20.0, 800.0})
    for (const double viscous : {0.1, 70.0, 1e5}) {
      const StepRule rule{0, INFINITY, 0.02, viscous};
      const double dt = rule.stable_dt(signal), wave = dt * signal / rule.reach;
      EXPECT_NEAR(wave * wave + viscous * dt, 1, 1e-12);
    }
}

TEST(StepRule, FixedStepsAreTakenAsTheyAre) {
  const StepRule rule{1e-4, 1e-5, 0.01, 1e9};
  EXPECT_EQ(rule.stable_dt(1e9), 1e-4);
  EXPECT_EQ(rule.next_dt(1e9, 1), 1e-4);
}

// Frames are met exactly, no step is longer than allowed, and none is a crumb.
TEST(StepRule, LandsOnFrames) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int trial = 0; trial < 2000; ++trial) {
    const StepRule rule{0, 1, 1, 0};
    const double signal = std::pow(10.0, 3 * unit(random)), stable = rule.stable_dt(signal);
    double remaining = stable * (0.01 + 12 * unit(random));
    const bool longer = remaining > stable;
    for (;;) {
      const double dt = rule.next_dt(signal, remaining);
      ASSERT_GT(dt, 0);
      ASSERT_LE(dt, stable * (1 + 1e-8));
      if (longer) {
        ASSERT_GE(dt, 0.5 * stable * (1 - 1e-8));
      }
      if (dt >= remaining) {
        EXPECT_EQ(dt, remaining);
        break;
      }
      remaining -= dt;
    }
  }
}

// A frame that is a whole number of steps, but for rounding, does not end in a step of 1e-17 s.
TEST(StepRule, RoundingMakesNoStepOfItsOwn) {
  const StepRule rule{1e-3, 1, 1, 0};
  EXPECT_EQ(rule.next_dt(0, 1e-3 * (1 + 1e-12)), 1e-3 * (1 + 1e-12));
  EXPECT_EQ(rule.next_dt(0, 1e-3 * (1 - 1e-12)), 1e-3 * (1 - 1e-12));
}

}  // namespace
}  // namespace firn
