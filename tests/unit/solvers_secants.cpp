// Secants of past steps: the newest one is met exactly, and they make up for a curvature that a
// problem overstates.
#include <gtest/gtest.h>

#include <cmath>

#include "solvers/minimize.h"
#include "solvers/secant_memory.h"
#include "solvers_objectives.h"

namespace firn {
namespace {

using testing::Space;
using testing::Vector;

TEST(SecantMemory, MeetsTheNewestSecant) {
  constexpr std::size_t n = 5;
  const Space space(n);
  SecantMemory<Space> memory(space, 2);
  Vector x(n), g(n);
  // Gradients of sum k x_k^2 / 2 at some places; more of them than are kept.
  const auto place = [&](int step) {
    for (std::size_t k = 0; k < n; ++k) {
      x[k] = std::sin(1.3 * step + 0.7 * double(k * k));
      g[k] = double(k + 1) * x[k];
    }
  };
  for (int step = 0; step < 5; ++step) {
    place(step);
    memory.begin(x, g);
    place(step + 1);
    memory.end(x, g);
    Vector way = x, change = g;
    place(step);
    for (std::size_t k = 0; k < n; ++k) way[k] -= x[k], change[k] -= g[k];
    memory.before(change);
    memory.after(change);
    for (std::size_t k = 0; k < n; ++k) EXPECT_NEAR(change[k], way[k], 1e-12) << step;
  }
  memory.clear();
  Vector same = x;
  memory.before(same);
  memory.after(same);
  for (std::size_t k = 0; k < n; ++k) EXPECT_EQ(same[k], x[k]);
}

TEST(SecantMemory, TakesNoSecantThatBendsDown) {
  const Space space(1);
  SecantMemory<Space> memory(space, 3);
  Vector x(1), g(1);
  x[0] = 0, g[0] = 0;
  memory.begin(x, g);
  x[0] = 1, g[0] = -1;
  memory.end(x, g);
  Vector b(1);
  b[0] = 3;
  memory.before(b);
  memory.after(b);
  EXPECT_EQ(b[0], 3);
}

// sum x^4 / 4 - x^2 / 2 beside each other, from where exact curvature bends down; the definite one
// is ten times too stiff.
class DoubleWells : public ProblemDefaults<Space> {
 public:
  explicit DoubleWells(const Space& space) : ProblemDefaults(space), curvature_(space.size()) {}
  double objective(const Vector& x) {
    double sum = 0;
    for (std::size_t k = 0; k < x.size(); ++k)
      sum += weight(k) * (0.25 * x[k] * x[k] * x[k] * x[k] - 0.5 * x[k] * x[k]);
    return sum;
  }
  void gradient(const Vector& x, Vector& g) {
    for (std::size_t k = 0; k < x.size(); ++k) g[k] = weight(k) * (x[k] * x[k] * x[k] - x[k]);
  }
  void linearize(const Vector& x, Curvature kind) {
    for (std::size_t k = 0; k < x.size(); ++k)
      curvature_[k] =
          kind == Curvature::definite ? 20 * weight(k) : weight(k) * (3 * x[k] * x[k] - 1);
  }
  void hessian(const Vector& d, Vector& out) {
    for (std::size_t k = 0; k < d.size(); ++k) out[k] = curvature_[k] * d[k];
  }

 private:
  static double weight(std::size_t k) { return 1 + double(k % 3); }
  Vector curvature_;
};

int steps_with(int secants) {
  const Space space(12);
  DoubleWells problem(space);
  Vector x(space.size());
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = 0.01 * (1 + double(k));
  MinimizeSettings settings;
  settings.tolerance = 1e-9;
  settings.most_definite_steps = 64;
  settings.most_secants = secants;
  settings.search = SearchKind::armijo;  // takes the first step: nothing else speeds it up
  double before = problem.objective(x);
  bool falls = true;
  settings.watch = [&](const NewtonStep& step) {
    falls = falls && step.objective <= before;
    before = step.objective;
  };
  const MinimizeReport report = minimize(space, problem, x, settings);
  EXPECT_TRUE(report.converged());
  EXPECT_TRUE(falls);
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(x[k], 1, 1e-8);
  return report.newton_steps;
}

TEST(SecantMemory, MakesUpForCurvatureThatIsTooStiff) {
  EXPECT_LT(steps_with(3), steps_with(0) * 3 / 4);
}

}  // namespace
}  // namespace firn
