// The minimizer where rounding or units could mislead it.
#include <gtest/gtest.h>

#include "solvers/minimize.h"
#include "solvers_descend.h"
#include "solvers_objectives.h"

namespace firn {
namespace {

using testing::descend;
using testing::kStarts;
using testing::Space;
using testing::Vector;
using testing::with_tolerance;

// Rounding of the objective hides what the last steps gain: slopes decide.
TEST(Minimize, ConvergesThoughRoundingHidesTheObjective) {
  const Space space(2);
  for (const SearchKind search : {SearchKind::wolfe, SearchKind::armijo})
    for (const auto& start : kStarts) {
      testing::Rosenbrock problem(space);
      problem.offset = 1e12;
      Vector x = testing::vector_of(start);
      MinimizeSettings settings = with_tolerance(1e-9);
      settings.search = search;
      EXPECT_TRUE(descend(space, problem, x, settings).converged());
      EXPECT_NEAR(x[0], 1, 1e-9);
      // Without the rule it gets stuck.
      settings.objective_rounding = 0;
      Vector stuck = testing::vector_of(start);
      EXPECT_FALSE(minimize(space, problem, stuck, settings).converged()) << start[0];
    }
}

// Large terms that cancel leave a small objective with large rounding, of which the caller knows.
TEST(Minimize, ConvergesThoughLargeTermsCancel) {
  struct Cancelling : testing::Rosenbrock {
    using Rosenbrock::Rosenbrock;
    double objective(const Vector& x) {
      volatile const double sum = value(x) + 1e12;
      return sum - 1e12;
    }
  };
  const Space space(2);
  for (const double noise : {1e-3, 0.0}) {
    Cancelling problem(space);
    Vector x = testing::vector_of({-1.2, 1});
    MinimizeSettings settings = with_tolerance(1e-9);
    settings.objective_noise = noise;
    EXPECT_EQ(minimize(space, problem, x, settings).converged(), noise > 0);
  }
}

// Slopes that lie can lift the objective by its noise once, not again in every step.
TEST(Minimize, TheObjectiveGrowsByItsNoiseAtMost) {
  struct Liar : testing::DenseProblem<Liar> {
    using DenseProblem::DenseProblem;
    double value(const Vector& x) const { return x[0]; }
    void gradient(const Vector&, Vector& g) const { g[0] = -1; }
    void fill_hessian(const Vector&, Curvature, testing::Matrix& h) const { h(0, 0) = 100; }
  };
  const Space space(1);
  for (const SearchKind search : {SearchKind::wolfe, SearchKind::armijo}) {
    Liar problem(space);
    Vector x = space.make();
    MinimizeSettings settings;
    settings.search = search;
    settings.objective_noise = 0.1;
    const MinimizeReport report = minimize(space, problem, x, settings);
    EXPECT_FALSE(report.converged());
    EXPECT_GT(report.newton_steps, 0);
    EXPECT_LE(report.objective_after, 0.1 + 1e-12);
  }
}

// Masses and gradients as velocities: another unit of mass changes nothing, not even rounding.
TEST(Minimize, TheUnitOfMassDoesNotMatter) {
  struct Step : testing::DoubleWell {
    Step(const Space& space, double total) : DoubleWell(space), total_mass(total) {}
    double value(const Vector& x) const {  // in the product: masses times energies
      Vector each = x, ones = x;
      for (std::size_t i = 0; i < x.size(); ++i) {
        each[i] = std::pow(x[i] * x[i] - 1, 2) / 4 - tilt * x[i];
        ones[i] = 1;
      }
      return space_.dot(each, ones);
    }
    double objective(const Vector& x) { return value(x); }
    double gradient_norm(const Vector& g) { return std::sqrt(space_.dot(g, g) / total_mass); }
    double total_mass;
  };
  std::vector<MinimizeReport> reports;
  std::vector<Vector> answers;
  for (const double unit : {1.0, 0x1p30}) {
    std::vector<double> masses = testing::spread(9, 1e-3, 1);
    double total = 0;
    for (double& mass : masses) total += mass *= unit;
    const Space space(masses, 1);
    Step problem(space, total);
    answers.push_back(testing::vector_of({-2, -1, -0.5, -0.1, 0, 0.2, 0.3, 1.2, 9}));
    reports.push_back(descend(space, problem, answers.back(), with_tolerance(1e-9)));
    EXPECT_TRUE(reports.back().converged());
  }
  EXPECT_EQ(testing::largest_difference(answers[0], answers[1]), 0);
  EXPECT_EQ(reports[0].krylov_iterations, reports[1].krylov_iterations);
  EXPECT_EQ(reports[0].gradient, reports[1].gradient);
  EXPECT_EQ(reports[0].objective_after * 0x1p30, reports[1].objective_after);
}

}  // namespace
}  // namespace firn
