#include "solver/step_effort.h"

#include <gtest/gtest.h>

#include <functional>

namespace firn {
namespace {

constexpr double kLongest = 1.0 / 24;

SolveReport solves(int newton, int krylov) {
  SolveReport report;
  report.newton_iterations = newton;
  report.krylov_iterations = krylov;
  return report;
}

// Iterations of a step of a length; so many steps, and how long they are in the end.
double length_after(StepEffort& effort, int steps, const std::function<int(double)>& iterations) {
  for (int i = 0; i < steps; ++i) {
    const double dt = effort.limit(kLongest);
    const int n = iterations(dt);
    effort.took(kLongest, dt, solves(n, 2 * n), false);
  }
  return effort.limit(kLongest);
}

TEST(StepEffort, EasyStepsAreAsLongAsTheyMayBe) {
  StepEffort effort;
  EXPECT_EQ(length_after(effort, 50, [](double) { return 5; }), kLongest);
}

TEST(StepEffort, ShortensStepsWhoseIterationsGrowFasterThanTheyDo) {
  StepEffort effort;
  // 40 thousand at first, 156 at a sixteenth of the length.
  const double dt = length_after(effort, 10, [](double length) {
    return static_cast<int>(40000 * length * length / (kLongest * kLongest));
  });
  EXPECT_EQ(dt, kLongest / 16);
}

TEST(StepEffort, KeepsHardStepsLongWhereHalvesAreAsHard) {
  StepEffort effort;
  int at_length = 0, steps = 0;
  length_after(effort, 100, [&](double length) {
    ++steps;
    at_length += length == kLongest ? 1 : 0;
    return 500;
  });
  EXPECT_GT(at_length, 0.9 * steps);
}

TEST(StepEffort, GrowsAgainOnceItIsEasy) {
  StepEffort effort;
  length_after(effort, 10, [](double length) {
    return static_cast<int>(40000 * length * length / (kLongest * kLongest));
  });
  EXPECT_LT(effort.limit(kLongest), kLongest / 10);
  EXPECT_EQ(length_after(effort, 100, [](double) { return 3; }), kLongest);
}

TEST(StepEffort, HalvedStepsStayShort) {
  StepEffort effort;
  effort.took(kLongest, kLongest / 8, solves(100, 100), true);
  EXPECT_LE(effort.limit(kLongest), kLongest / 8);
}

TEST(StepEffort, GoesOnFromWhatItSaved) {
  const auto hard = [](double length) { return static_cast<int>(30000 * length / kLongest); };
  StepEffort effort, other;
  length_after(effort, 7, hard);
  ASSERT_TRUE(other.load(effort.save()));
  for (int i = 0; i < 60; ++i)
    EXPECT_EQ(length_after(effort, 1, hard), length_after(other, 1, hard)) << i;
}

TEST(StepEffort, RefusesWhatIsNoneOfItsOwn) {
  StepEffort effort;
  EXPECT_FALSE(effort.load({}));
  std::vector<double> saved = effort.save();
  saved[0] = 1000;
  EXPECT_FALSE(effort.load(saved));
  saved = effort.save();
  saved[2] = -1;
  EXPECT_FALSE(effort.load(saved));
}

}  // namespace
}  // namespace firn
