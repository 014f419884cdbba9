// Linear solves whose numbers are kept apart from the vectors, as loops on a device keep them,
// against those that have both: the same steps and the same ends.
#include <gtest/gtest.h>

#include <memory>

#include "solvers/cg_scalars.h"
#include "solvers/gmres_scalars.h"
#include "solvers_common.h"

namespace firn {
namespace {

using testing::Matrix;
using testing::Space;
using testing::Vector;

struct Solved {
  KrylovReport report;
  Vector x;
};

// A diagonal that is not the matrix's own, so that it matters.
void precondition(const Vector& r, Vector& z) {
  for (std::size_t i = 0; i < r.size(); ++i) z[i] = r[i] / (1 + 0.1 * double(i));
}

Solved by_scalars(const Matrix& a, const Vector& b, const CgSettings& settings) {
  const Space space(a.n);
  CgScalars state{};
  state.tolerance = settings.tolerance;
  state.flat = settings.flat;
  state.most_iterations = settings.most_iterations;
  state.at_indefinite = settings.at_indefinite;
  Vector x = space.make(), r = b, z = space.make(), p = space.make(), ap = space.make();
  precondition(r, z);
  state.begin(space.dot(r, r), space.dot(r, z));
  while (!state.done) {
    space.combine(1, z, state.beta, p);
    a(p, ap);
    state.choose_step(space.dot(p, ap), space.dot(p, p), space.dot(ap, ap));
    if (state.done) break;
    space.combine(state.alpha, p, 1, x);
    space.combine(-state.alpha, ap, 1, r);
    precondition(r, z);
    state.end_iteration(space.dot(r, r), space.dot(r, z));
  }
  return {{state.iterations, state.relative_residual, state.stop}, std::move(x)};
}

Solved by_scalars(const Matrix& a, const Vector& b, const GmresSettings& settings) {
  const Space space(a.n);
  auto state = std::make_unique<GmresScalars>();
  state->tolerance = settings.tolerance;
  state->most_iterations = settings.most_iterations;
  state->restart = settings.restart;
  Vector x = space.make(), z = space.make();
  std::vector<Vector> basis;
  for (int k = 0; k <= settings.restart; ++k) basis.push_back(space.make());
  space.copy(b, basis[0]);
  state->begin(space.dot(b, b));
  while (!state->done) {
    for (int k = 0; !state->cycle_done; ++k) {
      space.scale(state->inverse_norm, basis[k]);
      precondition(basis[k], z);
      a(z, basis[k + 1]);
      state->norm_before = std::sqrt(space.dot(basis[k + 1], basis[k + 1]));
      if (!std::isfinite(state->norm_before)) {
        state->give_up();
        break;
      }
      for (int i = 0; i <= k; ++i) {
        state->entries[i] = space.dot(basis[k + 1], basis[i]);
        space.combine(-state->entries[i], basis[i], 1, basis[k + 1]);
      }
      state->add_column(std::sqrt(space.dot(basis[k + 1], basis[k + 1])));
    }
    Vector sum = space.make();
    for (int k = 0; k < state->size; ++k) space.combine(state->y[k], basis[k], 1, sum);
    precondition(sum, z);
    space.combine(1, z, 1, x);
    a(x, basis[0]);
    space.combine(1, b, -1, basis[0]);
    state->end_cycle(space.dot(basis[0], basis[0]));
  }
  return {{state->iterations, state->relative_residual, state->stop}, std::move(x)};
}

Solved by_both(const Matrix& a, const Vector& b, const CgSettings& settings) {
  const Space space(a.n);
  Vector x = space.make();
  const KrylovReport report = conjugate_gradient(space, a, precondition, b, x, settings);
  return {report, std::move(x)};
}
Solved by_both(const Matrix& a, const Vector& b, const GmresSettings& settings) {
  const Space space(a.n);
  Vector x = space.make();
  const KrylovReport report = gmres(space, a, precondition, b, x, settings);
  return {report, std::move(x)};
}

template <class Settings>
void expect_same(const Matrix& a, const Vector& b, Settings settings) {
  settings.from_zero = true;
  const Solved expected = by_both(a, b, settings), found = by_scalars(a, b, settings);
  EXPECT_EQ(found.report.stop, expected.report.stop);
  EXPECT_EQ(found.report.iterations, expected.report.iterations);
  EXPECT_DOUBLE_EQ(found.report.relative_residual, expected.report.relative_residual);
  EXPECT_LE(testing::largest_difference(found.x, expected.x), 1e-14);
}

std::vector<double> with_one_negative(std::vector<double> values) {
  values[values.size() / 2] = -values[values.size() / 2];
  return values;
}

TEST(SolverScalars, ConjugateGradientsTakeTheSameSteps) {
  for (unsigned seed = 1; seed < 6; ++seed) {
    const Vector b = testing::random_vector(20, seed);
    for (const auto at : {AtIndefinite::carry_on, AtIndefinite::stop, AtIndefinite::follow}) {
      CgSettings settings;
      settings.at_indefinite = at;
      const Matrix definite = testing::with_eigenvalues(testing::spread(20, 1, 50), seed);
      expect_same(definite, b, settings);
      settings.most_iterations = 3;
      expect_same(definite, b, settings);
      settings.most_iterations = 1000;
      const auto bent = with_one_negative(testing::spread(20, 1, 50));
      expect_same(testing::with_eigenvalues(bent, seed), b, settings);
      expect_same(testing::with_eigenvalues(std::vector<double>(20, -1.0), seed), b, settings);
    }
  }
}

TEST(SolverScalars, GmresTakesTheSameSteps) {
  for (unsigned seed = 1; seed < 6; ++seed) {
    Matrix a = testing::with_eigenvalues(testing::spread(20, 1, 10), seed);
    const Vector b = testing::random_vector(20, seed), noise = testing::random_vector(400, seed);
    for (std::size_t i = 0; i < 20; ++i)
      for (std::size_t j = 0; j < i; ++j) a(i, j) += 0.5 * noise[i * 20 + j];
    for (const int restart : {4, 9, 30}) {
      GmresSettings settings;
      settings.restart = restart;
      settings.most_iterations = 60;
      expect_same(a, b, settings);
    }
  }
}

TEST(SolverScalars, NothingToDo) {
  const Matrix a = testing::with_eigenvalues(testing::spread(5, 1, 2), 1);
  const Vector zero = Space(5).make();
  expect_same(a, zero, CgSettings{});
  expect_same(a, zero, GmresSettings{});
  Matrix broken = a;
  broken(2, 2) = NAN;
  expect_same(broken, testing::random_vector(5, 1), CgSettings{});
}

}  // namespace
}  // namespace firn
