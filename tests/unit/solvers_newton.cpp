// Newton's method on equations without an objective.
#include <gtest/gtest.h>

#include <limits>

#include "solvers/plain_newton.h"
#include "solvers_common.h"

namespace firn {
namespace {

using testing::Matrix;
using testing::Space;
using testing::Vector;

// A x + f(x) - b with f acting on each coordinate.
class Equations {
 public:
  Equations(const Space& space, Matrix a, double (*f)(double), double (*slope)(double))
      : space_(space),
        a_(std::move(a)),
        b_(space.make()),
        slopes_(space.make()),
        f_(f),
        df_(slope) {}

  void solved_by(const Vector& x) {
    Vector right(x.size());
    residual(x, right);
    space_.combine(1, right, 1, b_);
  }
  void residual(const Vector& x, Vector& r) const {
    a_(x, r);
    for (std::size_t i = 0; i < x.size(); ++i) r[i] += f_(x[i]) - b_[i];
  }
  double residual_norm(const Vector& r) const { return std::sqrt(space_.dot(r, r)); }
  void linearize(const Vector& x) {
    for (std::size_t i = 0; i < x.size(); ++i) slopes_[i] = df_(x[i]);
  }
  void jacobian(const Vector& d, Vector& out) const {
    a_(d, out);
    for (std::size_t i = 0; i < d.size(); ++i) out[i] += slopes_[i] * d[i];
  }
  void precondition(const Vector& r, Vector& z) const {
    for (std::size_t i = 0; i < r.size(); ++i) z[i] = r[i] / (a_(i, i) + slopes_[i]);
  }

 private:
  const Space& space_;
  Matrix a_;
  Vector b_, slopes_;
  double (*f_)(double);
  double (*df_)(double);
};

Matrix turning(std::size_t n) {
  Matrix a = testing::with_eigenvalues(testing::spread(n, 1, 5), 3);
  for (std::size_t i = 0; i + 1 < n; ++i) {
    a(i, i + 1) += 2;
    a(i + 1, i) -= 2;
  }
  return a;
}

Equations cubic(const Space& space) {
  return {space, turning(space.size()), [](double x) { return x * x * x; },
          [](double x) { return 3 * x * x; }};
}

PlainNewtonSettings exact_settings() {
  PlainNewtonSettings settings;
  settings.tolerance = 1e-11;
  settings.linear_tolerance = 1e-12;
  return settings;
}

TEST(PlainNewton, SolvesEquationsWithoutSymmetry) {
  const Space space(12);
  Equations equations = cubic(space);
  const Vector root = testing::random_vector(12, 3);
  equations.solved_by(root);
  for (const bool backtracking : {false, true}) {
    PlainNewtonSettings settings = exact_settings();
    settings.backtracking = backtracking;
    Vector x = testing::random_vector(12, 4);
    const PlainNewtonReport report = plain_newton(space, equations, x, settings);
    EXPECT_TRUE(report.converged());
    EXPECT_LT(report.newton_steps, 12);
    EXPECT_LT(testing::largest_difference(x, root), 1e-10);
  }
}

TEST(PlainNewton, ConvergesQuadratically) {
  const Space space(6);
  Equations equations = cubic(space);
  const Vector root = testing::random_vector(6, 3);
  equations.solved_by(root);
  PlainNewtonSettings settings = exact_settings();
  double before = 0;
  for (int steps = 1; steps < 5; ++steps) {
    settings.most_steps = steps;
    Vector x = root;
    for (double& value : x) value += 0.1;
    plain_newton(space, equations, x, settings);
    const double error = testing::largest_difference(x, root);
    if (steps > 1 && error > 1e-14) {
      EXPECT_LT(error, 10 * before * before);
    }
    before = error;
  }
  EXPECT_LT(before, 1e-12);
}

TEST(PlainNewton, BacktrackingHelpsWhereFullStepsRunAway) {
  const Space space(1);
  Equations equations(
      space, Matrix{1}, [](double x) { return std::atan(x); },
      [](double x) { return 1 / (1 + x * x); });
  PlainNewtonSettings settings = exact_settings();
  Vector x = testing::vector_of({2}), y = x;
  EXPECT_FALSE(plain_newton(space, equations, x, settings).converged());
  EXPECT_TRUE(std::isfinite(x[0]));
  settings.backtracking = true;
  const PlainNewtonReport report = plain_newton(space, equations, y, settings);
  EXPECT_TRUE(report.converged());
  EXPECT_GT(report.halvings, 0);
  EXPECT_LT(report.residual_after, report.residual_before);
  EXPECT_NEAR(y[0], 0, 1e-10);
}

TEST(PlainNewton, LetsNoNanOut) {
  const Space space(1);
  Equations equations(
      space, Matrix{1}, [](double x) { return std::log(x); }, [](double x) { return 1 / x; });
  PlainNewtonSettings settings = exact_settings();
  Vector x = testing::vector_of({5}), y = x;  // a full step leads below zero
  EXPECT_EQ(plain_newton(space, equations, x, settings).stop, NewtonStop::breakdown);
  EXPECT_EQ(x[0], 5);
  settings.backtracking = true;
  EXPECT_TRUE(plain_newton(space, equations, y, settings).converged());
  EXPECT_NEAR(y[0], 1, 1e-9);
}

TEST(PlainNewton, Cancels) {
  const Space space(12);
  Equations equations = cubic(space);
  equations.solved_by(testing::random_vector(12, 3));
  for (int patience = 0; patience < 30; ++patience) {
    PlainNewtonSettings settings = exact_settings();
    int asked = 0;
    settings.cancelled = [&] { return asked++ >= patience; };
    Vector x = testing::random_vector(12, 4);
    EXPECT_EQ(plain_newton(space, equations, x, settings).stop, NewtonStop::cancelled);
    EXPECT_LE(asked, patience + 1);
    for (const double value : x) EXPECT_TRUE(std::isfinite(value));
  }
}

}  // namespace
}  // namespace firn
