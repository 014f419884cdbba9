// How Krylov solvers end other than with a solution.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "solvers_methods.h"

namespace firn {
namespace {

using testing::kAll;
using testing::Map;
using testing::Matrix;
using testing::Method;
using testing::solve;
using testing::Space;
using testing::Vector;

TEST(Krylov, CgReportsIndefiniteness) {
  const Space space(20);
  const Vector right = testing::random_vector(20, 4);
  CgSettings settings;
  settings.from_zero = true;
  settings.at_indefinite = AtIndefinite::stop;
  const auto run = [&](const Matrix& a, Vector& x) {
    return conjugate_gradient(space, a, no_preconditioner(space), right, x, settings);
  };
  // One negative direction among many: found after some iterations, whose sum points down.
  std::vector<double> values = testing::spread(20, 1, 10);
  values[0] = -0.5;
  Matrix a = testing::with_eigenvalues(values, 1);
  Vector x = space.make();
  const KrylovReport later = run(a, x);
  EXPECT_EQ(later.stop, KrylovStop::indefinite);
  EXPECT_GT(later.iterations, 0);
  EXPECT_GT(space.dot(x, right), 0);
  EXPECT_GT(space.dot(x, a.times(x)), 0);
  // Negative from the start: the right-hand side itself.
  Vector first = space.make();
  EXPECT_EQ(run(testing::with_eigenvalues(testing::spread(20, -1, -2), 1), first).stop,
            KrylovStop::indefinite);
  EXPECT_EQ(testing::largest_difference(first, right), 0);
  // Followed, a direction that bends down is taken as far as if it bent up.
  settings.at_indefinite = AtIndefinite::follow;
  Vector followed = space.make();
  EXPECT_EQ(run(testing::with_eigenvalues(std::vector<double>(20, -4), 1), followed).stop,
            KrylovStop::indefinite);
  space.combine(-0.25, right, 1, followed);
  EXPECT_LT(std::sqrt(space.dot(followed, followed)), 1e-12);
  // Definite, if barely: solved.
  values[0] = 0.5;
  Vector solved = space.make();
  EXPECT_EQ(run(testing::with_eigenvalues(values, 1), solved).stop, KrylovStop::converged);
}

TEST(Krylov, CancelsWithinAnIteration) {
  const Matrix a = testing::with_eigenvalues(testing::spread(40, 1, 1e4), 1);
  const Space space(40);
  const Vector right = testing::random_vector(40, 4);
  for (const Method method : kAll) {
    int asked = 0;
    Vector x = space.make(), limited = space.make();
    const KrylovReport report = solve(method, space, a, no_preconditioner(space), right, x,
                                      {.cancelled = [&] { return ++asked == 6; }});
    EXPECT_EQ(report.stop, KrylovStop::cancelled);
    EXPECT_EQ(report.iterations, 5);
    EXPECT_NEAR(report.relative_residual, testing::true_residual(a, right, x), 1e-10);
    const KrylovReport limit =
        solve(method, space, a, no_preconditioner(space), right, limited, {.most = 5});
    EXPECT_EQ(limit.stop, KrylovStop::iteration_limit);
    EXPECT_EQ(testing::largest_difference(x, limited), 0);
  }
}

TEST(Krylov, LetsNoNanOut) {
  const Matrix a = testing::with_eigenvalues(testing::spread(20, 1, 100), 1);
  const Space space(20);
  const Vector right = testing::random_vector(20, 4);
  for (const Method method : kAll)
    for (int poisoned = 1; poisoned < 6; ++poisoned) {
      int products = 0;
      const Map apply = [&](const Vector& in, Vector& out) {
        a(in, out);
        if (++products == poisoned) out[3] = std::numeric_limits<double>::quiet_NaN();
      };
      Vector x = space.make();
      const KrylovReport report = solve(method, space, apply, no_preconditioner(space), right, x);
      if (poisoned > 1) {
        EXPECT_EQ(report.stop, KrylovStop::breakdown);
      }
      for (const double value : x) EXPECT_TRUE(std::isfinite(value));
    }
}

TEST(Krylov, ARightHandSideOfZeroAsksForZero) {
  const Matrix a = testing::with_eigenvalues(testing::spread(10, 1, 10), 1);
  const Space space(10);
  const Vector zero = space.make();
  for (const Method method : kAll) {
    Vector from_zero = space.make(), x = testing::random_vector(10, 3);
    EXPECT_EQ(solve(method, space, a, no_preconditioner(space), zero, from_zero).iterations, 0);
    EXPECT_EQ(solve(method, space, a, no_preconditioner(space), zero, x).stop,
              KrylovStop::converged);
    EXPECT_LT(testing::largest_difference(x, zero), 1e-8);
  }
}

}  // namespace
}  // namespace firn
