// The minimizer with constraints: answers and active sets that are known beforehand.
#include <gtest/gtest.h>

#include "solvers/minimize.h"
#include "solvers_objectives.h"

namespace firn {
namespace {

using testing::Matrix;
using testing::Space;
using testing::Vector;

// Coordinates may not fall below their bounds.
template <class Objective>
class Bounded : public Objective {
 public:
  template <class... Arguments>
  Bounded(Vector bounds, Arguments&&... arguments)
      : Objective(std::forward<Arguments>(arguments)...),
        active(bounds.size()),
        bounds_(std::move(bounds)) {}

  bool project(Vector& x) { return project(x, unused_); }
  bool project(Vector& x, Vector& d) {
    bool met = false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (!active[i] && x[i] >= bounds_[i]) continue;
      met = met || !active[i];
      x[i] = bounds_[i];
      if (d.size() > 0) d[i] = 0;
    }
    return met;
  }
  void register_active(const Vector& x, const Vector& g) {
    for (std::size_t i = 0; i < x.size(); ++i) active[i] = x[i] == bounds_[i] && g[i] >= 0;
  }
  void filter(Vector& d) {
    for (std::size_t i = 0; i < d.size(); ++i)
      if (active[i]) d[i] = 0;
  }

  std::vector<bool> active;

 private:
  Vector bounds_, unused_;
};

// A quadratic whose answer touches every third bound, pressed there with a random force.
struct BoundedCase {
  std::size_t n;
  Matrix a;
  Vector answer, bounds, right;
  std::vector<bool> touches;

  BoundedCase(std::size_t size, unsigned seed)
      : n(size),
        a(testing::with_eigenvalues(testing::spread(n, 1, 200), seed)),
        answer(testing::random_vector(n, seed)),
        bounds(answer),
        right(a.times(answer)),
        touches(n) {
    const Vector random = testing::random_vector(n, seed + 50);
    for (std::size_t i = 0; i < n; ++i) {
      touches[i] = i % 3 == 0;
      if (touches[i])
        right[i] -= 0.1 + std::abs(random[i]);
      else
        bounds[i] -= 0.1 + std::abs(random[i]);
    }
  }
};

// From everywhere inside, from outside, and from bounds that must be let go.
std::vector<Vector> starts(const BoundedCase& known) {
  std::vector<Vector> all(3, testing::random_vector(known.n, 77));
  for (std::size_t i = 0; i < known.n; ++i) {
    all[0][i] = known.bounds[i] + std::abs(all[0][i]);
    all[1][i] = known.bounds[i] - std::abs(all[1][i]);
    all[2][i] = known.bounds[i];
  }
  return all;
}

TEST(MinimizeConstrained, FindsTheAnswerAndWhatItTouches) {
  for (const SearchKind search : {SearchKind::wolfe, SearchKind::armijo})
    for (unsigned seed = 1; seed < 20; ++seed) {
      const BoundedCase known(12, seed);
      const Space space(known.n);
      for (Vector& x : starts(known)) {
        Bounded<testing::Quadratic> problem(known.bounds, space, known.a, known.right);
        MinimizeSettings settings;
        settings.tolerance = 1e-9;
        settings.search = search;
        double lowest = HUGE_VAL;
        settings.watch = [&](const NewtonStep& step) {
          EXPECT_LE(step.objective, lowest + 1e-14 * std::abs(lowest));
          lowest = std::min(lowest, step.objective);
          for (std::size_t i = 0; i < known.n; ++i) EXPECT_GE(x[i], known.bounds[i]);
        };
        const MinimizeReport report = minimize(space, problem, x, settings);
        EXPECT_TRUE(report.converged()) << seed << " gradient " << report.gradient;
        EXPECT_LT(report.newton_steps, 60);
        EXPECT_LT(report.krylov_iterations, 120);  // systems of the free coordinates alone
        EXPECT_LT(report.search_steps, report.newton_steps + 10);  // slopes of the bent path
        EXPECT_LT(testing::largest_difference(x, known.answer), 1e-8);
        EXPECT_EQ(problem.active, known.touches);
      }
    }
}

TEST(MinimizeConstrained, BoundsMatter) {
  const BoundedCase known(12, 1);
  const Space space(known.n);
  testing::Quadratic free(space, known.a, known.right);
  Vector x = known.answer;
  EXPECT_TRUE(minimize(space, free, x, {}).converged());
  EXPECT_GT(testing::largest_difference(x, known.answer), 1e-2);
  // The lower of two guesses is sought after projection: the free one lies lower only outside.
  Bounded<testing::Quadratic> problem(known.bounds, space, known.a, known.right);
  Vector y = x;
  MinimizeSettings settings;
  settings.most_steps = 0;
  minimize(space, problem, y, settings, &known.answer);
  EXPECT_EQ(testing::largest_difference(y, known.answer), 0);
  minimize(space, problem, y, settings, &x);
  EXPECT_EQ(testing::largest_difference(y, known.answer), 0);
}

// Points on springs in a row around a disk, each drawn to a place of its own; none may enter.
class RowOnDisk : public testing::DenseProblem<RowOnDisk> {
 public:
  static constexpr double kRadius = 1, kSpring = 4;

  RowOnDisk(const Space& space, Vector targets)
      : DenseProblem(space), active(space.size() / 2), targets_(std::move(targets)) {}

  double value(const Vector& x) const {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      sum += std::pow(x[i] - targets_[i], 2) / 2;
      if (i >= 2) sum += kSpring * std::pow(x[i] - x[i - 2], 2) / 2;
    }
    return sum;
  }
  void gradient(const Vector& x, Vector& g) const {
    for (std::size_t i = 0; i < x.size(); ++i) g[i] = x[i] - targets_[i];
    for (std::size_t i = 2; i < x.size(); ++i) {
      g[i] += kSpring * (x[i] - x[i - 2]);
      g[i - 2] -= kSpring * (x[i] - x[i - 2]);
    }
  }
  // Along the disk, with what its curvature adds: -(g.n) Hess(phi).
  void fill_hessian(const Vector& x, Curvature, Matrix& h) const {
    h = Matrix{x.size()};
    for (std::size_t i = 0; i < x.size(); ++i) h(i, i) += 1;
    for (std::size_t i = 2; i < x.size(); ++i) {
      h(i, i) += kSpring;
      h(i - 2, i - 2) += kSpring;
      h(i, i - 2) = h(i - 2, i) = -kSpring;
    }
    for (std::size_t p = 0; p < active.size(); ++p) {
      if (!active[p]) continue;
      const double size = length(x, p), n[2] = {x[2 * p] / size, x[2 * p + 1] / size};
      for (std::size_t a = 0; a < 2; ++a)
        for (std::size_t b = 0; b < 2; ++b)
          h(2 * p + a, 2 * p + b) -= pressure_[p] * ((a == b ? 1 : 0) - n[a] * n[b]) / size;
    }
  }
  // Stronger in one direction, so that it leads away from the disk.
  void precondition(const Vector& r, Vector& z) const {
    for (std::size_t i = 0; i < r.size(); ++i) z[i] = r[i] * (i % 2 == 0 ? 1 : 0.2);
  }
  bool project(Vector& x) {
    Vector unused = x;
    return project(x, unused);
  }
  bool project(Vector& x, Vector& d) {
    bool met = false;
    for (std::size_t p = 0; p < active.size(); ++p) {
      const double size = length(x, p);
      if (!active[p] && size >= kRadius) continue;
      met = met || !active[p];
      const double n[2] = {x[2 * p] / size, x[2 * p + 1] / size};
      const double along = d[2 * p] * n[0] + d[2 * p + 1] * n[1];
      for (std::size_t a = 0; a < 2; ++a) {
        d[2 * p + a] = (d[2 * p + a] - along * n[a]) * kRadius / size;
        x[2 * p + a] = kRadius * n[a];
      }
    }
    return met;
  }
  void register_active(const Vector& x, const Vector& g) {
    pressure_.assign(active.size(), 0);
    normals_ = x;
    for (std::size_t p = 0; p < active.size(); ++p) {
      const double size = length(x, p);
      pressure_[p] = (g[2 * p] * x[2 * p] + g[2 * p + 1] * x[2 * p + 1]) / size;
      active[p] = size < kRadius * (1 + 1e-12) && pressure_[p] >= 0;
      for (std::size_t a = 0; a < 2; ++a) normals_[2 * p + a] /= size;
    }
  }
  void filter(Vector& d) {
    for (std::size_t p = 0; p < active.size(); ++p) {
      if (!active[p]) continue;
      const double along = d[2 * p] * normals_[2 * p] + d[2 * p + 1] * normals_[2 * p + 1];
      for (std::size_t a = 0; a < 2; ++a) d[2 * p + a] -= along * normals_[2 * p + a];
    }
  }
  static double length(const Vector& x, std::size_t p) {
    return std::hypot(x[2 * p], x[2 * p + 1]);
  }

  std::vector<bool> active;

 private:
  Vector targets_, normals_;
  std::vector<double> pressure_;
};

TEST(MinimizeConstrained, FollowsCurvedObstacles) {
  constexpr std::size_t kPoints = 15;
  const Space space(2 * kPoints);
  Vector targets(2 * kPoints), start(2 * kPoints);
  for (std::size_t p = 0; p < kPoints; ++p) {
    const double t = static_cast<double>(p) / (kPoints - 1);
    targets[2 * p] = 4 * t - 2;  // a line through the disk, a little above its middle
    targets[2 * p + 1] = 0.2;
    start[2 * p] = 4 * t - 2;
    start[2 * p + 1] = 3;
  }
  RowOnDisk problem(space, targets);
  MinimizeSettings settings;
  settings.tolerance = 1e-10;
  double lowest = HUGE_VAL;
  settings.watch = [&](const NewtonStep& step) {
    EXPECT_LE(step.objective, lowest + 1e-14 * std::abs(lowest));
    lowest = std::min(lowest, step.objective);
  };
  Vector x = start;
  const MinimizeReport report = minimize(space, problem, x, settings);
  EXPECT_TRUE(report.converged()) << report.gradient;
  EXPECT_LT(report.krylov_iterations, 200);
  Vector g(x.size());
  problem.gradient(x, g);
  int touching = 0;
  for (std::size_t p = 0; p < kPoints; ++p) {
    const double size = RowOnDisk::length(x, p);
    EXPECT_GE(size, RowOnDisk::kRadius * (1 - 1e-14));
    const double n[2] = {x[2 * p] / size, x[2 * p + 1] / size};
    EXPECT_NEAR(g[2 * p] * n[1] - g[2 * p + 1] * n[0], 0, 1e-9);  // no force along
    const double normal = g[2 * p] * n[0] + g[2 * p + 1] * n[1];
    if (size > RowOnDisk::kRadius * (1 + 1e-9)) {
      EXPECT_NEAR(normal, 0, 1e-9);
    } else {
      EXPECT_GT(normal, -1e-9);  // pressed, not held
      ++touching;
    }
  }
  EXPECT_GT(touching, 2);
  EXPECT_LT(touching, static_cast<int>(kPoints));
}

// What a caller forgets shows: without the filter the gradient never falls to zero.
TEST(MinimizeConstrained, TheFilterIsWhatMeasuresTheGradient) {
  struct Unfiltered : Bounded<testing::Quadratic> {
    using Bounded::Bounded;
    void filter(Vector&) {}
  };
  const BoundedCase known(12, 1);
  const Space space(known.n);
  Unfiltered problem(known.bounds, space, known.a, known.right);
  Vector x = known.bounds;
  EXPECT_FALSE(minimize(space, problem, x, {}).converged());
}

}  // namespace
}  // namespace firn
