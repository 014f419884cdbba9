// The minimizer without constraints: it gets there, and never goes up.
#include <gtest/gtest.h>

#include "solvers/minimize.h"
#include "solvers/plain_newton.h"
#include "solvers_objectives.h"

namespace firn {
namespace {

using testing::Space;
using testing::Vector;

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

MinimizeSettings with_tolerance(double tolerance) {
  MinimizeSettings settings;
  settings.tolerance = tolerance;
  return settings;
}

const std::vector<std::vector<double>> kStarts = {{-1.2, 1}, {0, 0},     {5, -30},
                                                  {-3, 40},  {1e3, 1e3}, {0, 1}};

TEST(Minimize, FindsTheEndOfRosenbrocksValley) {
  const Space space(2);
  for (const auto& start : kStarts)
    for (const SearchKind search : {SearchKind::wolfe, SearchKind::armijo})
      for (const LinearSolver linear : {LinearSolver::conjugate_gradient, LinearSolver::minres}) {
        testing::Rosenbrock problem(space);
        Vector x = testing::vector_of(start);
        MinimizeSettings settings = with_tolerance(1e-9);
        settings.search = search;
        settings.linear_solver = linear;
        const MinimizeReport report = descend(space, problem, x, settings);
        EXPECT_TRUE(report.converged()) << start[0] << " " << start[1];
        EXPECT_LE(report.gradient, 1e-9);
        EXPECT_NEAR(x[0], 1, 1e-9);
        EXPECT_NEAR(x[1], 1, 1e-9);
        EXPECT_LT(report.newton_steps, 140);
      }
}

// Searches that are cut short end with the best length so far, which need not be the last.
TEST(Minimize, TakesTheBestOfAShortSearch) {
  const Space space(2);
  for (const auto& start : kStarts)
    for (const int most : {2, 3, 4}) {
      testing::Rosenbrock problem(space);
      Vector x = testing::vector_of(start);
      MinimizeSettings settings = with_tolerance(1e-9);
      settings.most_search_steps = most;
      settings.most_steps = 1000;
      descend(space, problem, x, settings);
    }
}

testing::Quadratic random_quadratic(const Space& space, double condition) {
  const std::size_t n = space.size();
  return {space, testing::with_eigenvalues(testing::spread(n, 1, condition), 2),
          testing::random_vector(n, 5)};
}

TEST(Minimize, TakesOneStepToTheBottomOfAQuadratic) {
  const Space space(15);
  for (const double condition : {2.0, 1e3, 1e5}) {
    testing::Quadratic problem = random_quadratic(space, condition);
    Vector x = testing::random_vector(15, 9);
    MinimizeSettings settings = with_tolerance(1e-6);
    settings.loosest_linear = 1e-13;
    const MinimizeReport report = descend(space, problem, x, settings);
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.newton_steps, 1) << condition;
    EXPECT_EQ(report.search_steps, 1);
  }
}

TEST(Minimize, SolvesRoughlyWhileFarAway) {
  const Space space(60);
  testing::Quadratic problem = random_quadratic(space, 1e4);
  Vector x = testing::random_vector(60, 9), y = testing::random_vector(60, 9);
  MinimizeSettings settings = with_tolerance(1e-4);
  int first = 0;
  settings.watch = [&](const NewtonStep& step) {
    if (step.number == 1) first = step.krylov_iterations;
  };
  const MinimizeReport rough = minimize(space, problem, x, settings);
  EXPECT_TRUE(rough.converged());
  EXPECT_LT(first, 20);
  settings.loosest_linear = 1e-10;
  EXPECT_TRUE(minimize(space, problem, y, settings).converged());
  EXPECT_GT(first, 60);
}

TEST(Minimize, LeavesConcavePlaces) {
  const Space space(6);
  for (const Curvature curvature : {Curvature::exact, Curvature::definite}) {
    testing::DoubleWell problem(space);
    Vector x = space.make();  // between the wells, where Newton's step would go up
    MinimizeSettings settings = with_tolerance(1e-10);
    settings.curvature = curvature;
    const MinimizeReport report = descend(space, problem, x, settings);
    EXPECT_TRUE(report.converged());
    for (const double value : x) {
      EXPECT_GT(value, 1);  // the deeper side of the tilted well
      EXPECT_NEAR(value * (value * value - 1), problem.tilt, 1e-9);
    }
  }
  // Newton's method by itself takes the top for a solution.
  struct Equations : testing::DoubleWell {
    using DoubleWell::DoubleWell;
    void residual(const Vector& x, Vector& r) { gradient(x, r); }
    double residual_norm(const Vector& r) { return gradient_norm(r); }
    void linearize(const Vector& x) { DoubleWell::linearize(x, Curvature::exact); }
    void jacobian(const Vector& d, Vector& out) { hessian(d, out); }
  } equations(space);
  Vector top = space.make();
  EXPECT_TRUE(plain_newton(space, equations, top, {}).converged());
  EXPECT_NEAR(top[0], -equations.tilt, 1e-4);
}

// Where a direction bends down, Rosenbrock's valley is long for those who only stop there.
TEST(Minimize, FollowsDirectionsThatBendDown) {
  const Space space(2);
  const auto steps = [&](AtIndefinite what) {
    testing::Rosenbrock problem(space);
    Vector x = testing::vector_of({-1.2, 1});
    MinimizeSettings settings = with_tolerance(1e-9);
    settings.at_indefinite = what;
    const MinimizeReport report = descend(space, problem, x, settings);
    EXPECT_TRUE(report.converged());
    return report.newton_steps;
  };
  EXPECT_GT(steps(AtIndefinite::stop), 1.5 * steps(AtIndefinite::follow));
}

TEST(Minimize, FallsBackToSteepestDescent) {
  const Space space(8);
  for (const double downhill : {1e-4, 0.999}) {
    testing::Quadratic problem = random_quadratic(space, 10);
    Vector x = testing::random_vector(8, 9);
    MinimizeSettings settings = with_tolerance(1e-7);
    settings.downhill = downhill;
    int steepest = 0;
    settings.watch = [&](const NewtonStep& step) { steepest += step.steepest; };
    EXPECT_TRUE(minimize(space, problem, x, settings).converged());
    EXPECT_EQ(steepest > 0, downhill > 0.5);
  }
}

TEST(Minimize, ReversesDirectionsThatPointUp) {
  const Space space(3);
  testing::DoubleWell problem(space);
  Vector x = testing::vector_of({0.1, 0.2, 0.3});
  MinimizeSettings settings = with_tolerance(1e-10);
  settings.linear_solver = LinearSolver::minres;
  settings.loosest_linear = 1e-12;  // exact: every component of the step points up
  EXPECT_TRUE(descend(space, problem, x, settings).converged());
  for (const double value : x) EXPECT_GT(value, 1);
}

TEST(Minimize, StaysWhereTheObjectiveIsFinite) {
  const Space space(3);
  for (const SearchKind search : {SearchKind::wolfe, SearchKind::armijo}) {
    testing::Barrier problem(space, testing::vector_of({1, 1e3, 1e-3}));
    Vector x = testing::vector_of({30, 20, 1e-6});
    MinimizeSettings settings = with_tolerance(1e-8);
    settings.search = search;
    const MinimizeReport report = descend(space, problem, x, settings);
    EXPECT_TRUE(report.converged());
    EXPECT_GT(report.search_steps, report.newton_steps);  // some lengths did lead outside
    EXPECT_NEAR(x[0], 1, 1e-6);
    EXPECT_NEAR(x[1], 1e-3, 1e-9);
    EXPECT_NEAR(x[2], 1e3, 1e-1);
  }
  // Nowhere to start from: says so, and leaves x alone.
  testing::Barrier problem(space, testing::vector_of({1, 1, 1}));
  Vector outside = testing::vector_of({1, -1, 1});
  EXPECT_EQ(minimize(space, problem, outside, {}).stop, MinimizeStop::breakdown);
  EXPECT_EQ(outside[1], -1);
}

TEST(Minimize, StartsFromTheLowerGuess) {
  const Space space(2);
  const Vector near = testing::vector_of({1, 1}), far = testing::vector_of({50, -3});
  const Vector outside = testing::vector_of({-1, 1});
  testing::Barrier barrier(space, near);
  const auto steps = [&](const Vector& guess, const Vector& other) {
    Vector x = guess;
    const MinimizeReport report = descend(space, barrier, x, with_tolerance(1e-9), &other);
    EXPECT_TRUE(report.converged());
    return report.newton_steps;
  };
  EXPECT_EQ(steps(near, testing::vector_of({2, 2})), 0);
  EXPECT_EQ(steps(testing::vector_of({2, 2}), near), 0);
  EXPECT_EQ(steps(outside, near), 0);
  EXPECT_EQ(steps(near, outside), 0);
  EXPECT_GT(steps(testing::vector_of({2, 2}), testing::vector_of({3, 3})), 0);
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

TEST(Minimize, BucklesAChainThatIsPushedTogether) {
  const Space space(40);
  for (const double stiffness : {1e2, 1e4, 1e6}) {
    testing::PushedChain problem(space, stiffness, 0.7);
    Vector x = problem.start(), y = problem.start();
    MinimizeSettings settings = with_tolerance(1e-7 * stiffness);
    settings.most_steps = 800;
    const MinimizeReport report = descend(space, problem, x, settings);
    EXPECT_TRUE(report.converged()) << stiffness << " " << report.gradient;
    // Straight, it would hold 21 springs at 0.7 of their length.
    EXPECT_LT(report.objective_after, 0.1 * stiffness * 21 * 0.3 * 0.3 / 2);
  }
}

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

TEST(Minimize, ClampsSteps) {
  const Space space(5);
  testing::Quadratic problem = random_quadratic(space, 10);
  Vector x = testing::random_vector(5, 2);
  for (double& value : x) value *= 100;
  MinimizeSettings settings = with_tolerance(1e-8);
  settings.search = SearchKind::armijo;  // takes no steps beyond the whole one
  settings.longest_step = 2;
  Vector before = x;
  settings.most_steps = 1;
  EXPECT_EQ(minimize(space, problem, x, settings).stop, MinimizeStop::iteration_limit);
  space.combine(1, x, -1, before);
  EXPECT_NEAR(std::sqrt(space.dot(before, before)), 2, 1e-12);
  // Strong Wolfe goes on as far as is good.
  settings.search = SearchKind::wolfe;
  settings.most_steps = 30;
  EXPECT_TRUE(minimize(space, problem, x, settings).converged());
}

TEST(Minimize, Cancels) {
  const Space space(2);
  for (int patience = 0; patience < 40; ++patience) {
    testing::Rosenbrock problem(space);
    Vector x = testing::vector_of({-1.2, 1});
    const double before = problem.objective(x);
    int asked = 0, late = 0;
    MinimizeSettings settings = with_tolerance(1e-9);
    settings.cancelled = [&] {
      if (asked > patience) ++late;
      return asked++ >= patience;
    };
    EXPECT_EQ(minimize(space, problem, x, settings).stop, MinimizeStop::cancelled);
    EXPECT_LE(late, 1);
    EXPECT_LE(problem.objective(x), before);
  }
}

TEST(Minimize, TakesStepsThoughTheGradientIsSmall) {
  const Space space(2);
  testing::Rosenbrock problem(space);
  Vector x = testing::vector_of({1.001, 1.002}), y = x;
  MinimizeSettings settings = with_tolerance(1);
  EXPECT_EQ(minimize(space, problem, x, settings).newton_steps, 0);
  settings.least_steps = 1;
  EXPECT_EQ(minimize(space, problem, y, settings).newton_steps, 1);
}

}  // namespace
}  // namespace firn
