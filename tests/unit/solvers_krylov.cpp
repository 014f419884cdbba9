// Krylov solvers: exact solutions, products, preconditioners.
#include <gtest/gtest.h>

#include <string>

#include "solvers_methods.h"

namespace firn {
namespace {

using testing::kAll;
using testing::kSymmetric;
using testing::Map;
using testing::Matrix;
using testing::Method;
using testing::solve;
using testing::Space;
using testing::Vector;

std::vector<double> with_signs(std::vector<double> values) {
  for (std::size_t i = 0; i < values.size(); i += 3) values[i] = -values[i];
  return values;
}

// Solves for a known x from a random guess, and expects it in at most n + extra iterations.
void expect_exact(Method method, const Matrix& a, unsigned seed, int extra) {
  const Space space(a.n);
  const Vector exact = testing::random_vector(a.n, seed);
  const Vector right = a.times(exact);
  Vector x = testing::random_vector(a.n, seed + 1);
  const KrylovReport report = solve(method, space, a, no_preconditioner(space), right, x);
  SCOPED_TRACE("method " + std::to_string(static_cast<int>(method)));
  EXPECT_EQ(report.stop, KrylovStop::converged);
  EXPECT_LE(report.iterations, static_cast<int>(a.n) + extra);
  EXPECT_LT(testing::largest_difference(x, exact), 1e-7);
  EXPECT_NEAR(report.relative_residual, testing::true_residual(a, right, x), 1e-12);
}

TEST(Krylov, SolvesDefiniteSystemsInAsManyStepsAsUnknowns) {
  for (const Method method : kAll)
    for (unsigned seed = 1; seed < 6; ++seed)
      expect_exact(method, testing::with_eigenvalues(testing::spread(10, 1, 20), seed), seed, 0);
}

TEST(Krylov, SolvesIndefiniteSystems) {
  const std::vector<double> values = with_signs(testing::spread(10, 1, 8));
  for (const Method method : {Method::cr, Method::minres, Method::gmres})
    for (unsigned seed = 1; seed < 6; ++seed)
      expect_exact(method, testing::with_eigenvalues(values, seed), seed, 2);  // for rounding
}

Matrix non_symmetric(std::size_t n, unsigned seed) {
  Matrix a = testing::with_eigenvalues(testing::spread(n, 1, 10), seed);
  const Vector noise = testing::random_vector(n * n, seed);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) a(i, j) += 0.7 * noise[i * n + j];
  return a;
}

TEST(Krylov, GmresSolvesSystemsWithoutSymmetry) {
  for (unsigned seed = 1; seed < 6; ++seed) {
    const Matrix a = non_symmetric(20, seed);
    expect_exact(Method::gmres, a, seed, 0);
    // Methods that rely on symmetry do not get there in that many.
    const Space space(a.n);
    for (const Method method : kSymmetric) {
      Vector x = space.make();
      const Vector right = testing::random_vector(a.n, seed);
      solve(method, space, a, no_preconditioner(space), right, x, {.most = 21});
      EXPECT_GT(testing::true_residual(a, right, x), 1e-3);
    }
  }
}

TEST(Krylov, GmresRestarts) {
  const Matrix a = non_symmetric(30, 3);
  const Space space(a.n);
  const Vector right = testing::random_vector(a.n, 5);
  int before = 0;
  for (const int restart : {30, 15, 8}) {
    Vector x = space.make();
    const KrylovReport report =
        solve(Method::gmres, space, a, no_preconditioner(space), right, x, {.restart = restart});
    EXPECT_EQ(report.stop, KrylovStop::converged) << restart;
    EXPECT_LT(testing::true_residual(a, right, x), 1e-10);
    EXPECT_GT(report.iterations, before) << restart;
    before = report.iterations;
  }
}

// A chain that is held nowhere: constants cost nothing.
Matrix free_chain(std::size_t n) {
  Matrix a{n};
  for (std::size_t i = 0; i + 1 < n; ++i) {
    a(i, i) += 1;
    a(i + 1, i + 1) += 1;
    a(i, i + 1) -= 1;
    a(i + 1, i) -= 1;
  }
  return a;
}

TEST(Krylov, SolvesSingularSystemsThatHaveASolution) {
  const Matrix a = free_chain(20);
  const Space space(a.n);
  for (const Method method : kAll) {
    const Vector right = a.times(testing::random_vector(a.n, 3));
    Vector x = space.make();
    const KrylovReport report = solve(method, space, a, no_preconditioner(space), right, x);
    EXPECT_EQ(report.stop, KrylovStop::converged);
    EXPECT_LE(report.iterations, 20);
    EXPECT_LT(testing::true_residual(a, right, x), 1e-9);
    // Pulled as a whole, it has none: nobody may claim one.
    Vector pulled = right, y = space.make();
    for (double& value : pulled) value += 1;
    const KrylovReport none =
        solve(method, space, a, no_preconditioner(space), pulled, y, {.most = 40});
    EXPECT_NE(none.stop, KrylovStop::converged);
    for (const double value : y) EXPECT_TRUE(std::isfinite(value));
  }
}

// Three different eigenvalues, one of them zero: after three vectors there is nothing new to add.
TEST(Krylov, GmresSaysThatThereIsNoSolution) {
  std::vector<double> values(20, 1);
  values[0] = 0;
  values[1] = values[2] = 2;
  const Matrix a = testing::with_eigenvalues(values, 4);
  const Space space(a.n);
  Vector x = space.make();
  const KrylovReport report =
      solve(Method::gmres, space, a, no_preconditioner(space), testing::random_vector(a.n, 5), x);
  EXPECT_EQ(report.stop, KrylovStop::breakdown);
  EXPECT_LE(report.iterations, 4);
}

// x + dt^2 M^-1 K x of a chain whose nodes weigh between 1 and 1e-4, as at the edge of a body;
// light nodes hold little.
struct WeightedChain {
  std::vector<double> masses;
  Matrix a;

  explicit WeightedChain(std::size_t n) : masses(n), a{n} {
    std::mt19937 random(4);
    std::uniform_real_distribution<double> unit(0, 1);
    for (double& mass : masses) mass = std::pow(10, -4 * unit(random));
    for (std::size_t i = 0; i < n; ++i) a(i, i) = 1;
    for (std::size_t i = 0; i + 1 < n; ++i) {
      const double stiffness = 30 * std::min(masses[i], masses[i + 1]);
      for (const std::size_t node : {i, i + 1}) {
        a(node, node) += stiffness / masses[node];
        a(node, 2 * i + 1 - node) -= stiffness / masses[node];
      }
    }
  }
};

TEST(Krylov, TheProductDecidesWhatIsSymmetric) {
  const WeightedChain chain(120);
  const Space plain(120), weighted(chain.masses, 1);
  const Vector right = testing::random_vector(120, 8);
  for (const Method method : kSymmetric) {
    Vector x = plain.make(), y = plain.make();
    const KrylovReport with_masses = solve(method, weighted, chain.a, no_preconditioner(weighted),
                                           right, x, {.tolerance = 1e-6});
    const KrylovReport without = solve(method, plain, chain.a, no_preconditioner(plain), right, y,
                                       {.tolerance = 1e-6, .most = 600});
    EXPECT_EQ(with_masses.stop, KrylovStop::converged);
    EXPECT_LT(with_masses.iterations, 150);
    EXPECT_LT(testing::true_residual(chain.a, right, x), 1e-4);
    EXPECT_TRUE(without.stop != KrylovStop::converged ||
                without.iterations > 4 * with_masses.iterations)
        << with_masses.iterations << " " << without.iterations;
  }
}

TEST(Krylov, PreconditionersSaveIterations) {
  const std::size_t n = 60;
  Matrix a = testing::with_eigenvalues(testing::spread(n, 1, 3), 2);
  const std::vector<double> scales = testing::spread(n, 1e-3, 1e3);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) a(i, j) *= scales[i] * scales[j];
  const Space space(n);
  const Vector right = testing::random_vector(n, 8);
  const Map diagonal = [&](const Vector& in, Vector& out) {
    for (std::size_t i = 0; i < n; ++i) out[i] = in[i] / a(i, i);
  };
  for (const Method method : kAll) {
    Vector x = space.make(), y = space.make();
    const KrylovReport with = solve(method, space, a, diagonal, right, x);
    const KrylovReport without =
        solve(method, space, a, no_preconditioner(space), right, y, {.restart = 30});
    EXPECT_EQ(with.stop, KrylovStop::converged);
    EXPECT_LT(with.iterations, 35);
    EXPECT_LT(testing::true_residual(a, right, x), 1e-9);
    EXPECT_GT(without.iterations, 2 * with.iterations);
  }
}

}  // namespace
}  // namespace firn
