// The minimizer without constraints: it gets there, and never goes up.
#include <gtest/gtest.h>

#include "solvers/minimize.h"
#include "solvers/plain_newton.h"
#include "solvers_descend.h"
#include "solvers_objectives.h"

namespace firn {
namespace {

using testing::descend;
using testing::kStarts;
using testing::Space;
using testing::Vector;
using testing::with_tolerance;

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

// Exact where that bends up, definite for a while where it bends down, and exact at the end.
TEST(Minimize, GoesByDefiniteCurvatureWhereTheExactBendsDown) {
  struct Recorded : testing::DoubleWell {
    using DoubleWell::DoubleWell;
    void linearize(const Vector& x, Curvature kind) {
      kinds.push_back(kind);
      DoubleWell::linearize(x, kind);
    }
    std::vector<Curvature> kinds;
  };
  const Space space(6);
  Recorded problem(space);
  Vector x = space.make();  // on the top, where all of it bends down
  MinimizeSettings settings = with_tolerance(1e-10);
  settings.most_definite_steps = 8;
  EXPECT_TRUE(descend(space, problem, x, settings).converged());
  for (const double value : x) EXPECT_NEAR(value * (value * value - 1), problem.tilt, 1e-9);
  ASSERT_GE(problem.kinds.size(), 4u);
  EXPECT_EQ(problem.kinds[0], Curvature::exact);     // looked at
  EXPECT_EQ(problem.kinds[1], Curvature::definite);  // instead of it
  EXPECT_EQ(problem.kinds[2], Curvature::definite);  // the second of two steps
  EXPECT_EQ(problem.kinds[3], Curvature::exact);
  EXPECT_EQ(problem.kinds.back(), Curvature::exact);
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
  const Vector near = testing::vector_of({1, 1});
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
