// Runs of the minimizer that are watched.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "solvers/minimize.h"
#include "solvers_common.h"

namespace firn::testing {

// Minimizes and expects every accepted step to go down, but for rounding.
template <class Problem>
MinimizeReport descend(const Space& space, Problem& problem, Vector& x,
                       MinimizeSettings settings = {}, const Vector* other = nullptr) {
  double lowest = HUGE_VAL;
  int steps = 0;
  settings.watch = [&](const NewtonStep& step) {
    EXPECT_LE(step.objective, lowest + settings.objective_rounding * std::abs(lowest));
    EXPECT_GT(step.alpha, 0);
    EXPECT_EQ(step.number, ++steps);
    lowest = std::min(lowest, step.objective);
  };
  const MinimizeReport report = minimize(space, problem, x, settings, other);
  EXPECT_EQ(steps, report.newton_steps);
  EXPECT_LE(report.objective_after, report.objective_before + 1e-13 * std::abs(lowest));
  EXPECT_EQ(report.objective_after, problem.objective(x));
  for (const double value : x) EXPECT_TRUE(std::isfinite(value));
  return report;
}

inline MinimizeSettings with_tolerance(double tolerance) {
  MinimizeSettings settings;
  settings.tolerance = tolerance;
  return settings;
}

// For Rosenbrock's valley.
inline const std::vector<std::vector<double>> kStarts = {{-1.2, 1}, {0, 0},     {5, -30},
                                                         {-3, 40},  {1e3, 1e3}, {0, 1}};

}  // namespace firn::testing
