// Vectors in host memory: the same bytes whatever the number of threads.
#include <gtest/gtest.h>

#include <cstring>

#include "exec/parallel.h"
#include "solvers/array_space.h"
#include "solvers/conjugate_gradient.h"
#include "solvers/gmres.h"
#include "solvers/minimize.h"
#include "solvers/minres.h"
#include "solvers_common.h"

namespace firn {
namespace {

constexpr int kComponents = 3;
constexpr std::size_t kPoints = 9011;  // several chunks, the last one short

template <class T>
Buffer<T> random_entries(unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Buffer<T> v(kPoints * kComponents);
  for (T& x : v) x = static_cast<T>(normal(random));
  return v;
}

std::vector<double> masses() {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(0.1, 1);
  std::vector<double> m(kPoints);
  for (double& x : m) x = unit(random);
  return m;
}

template <class T>
class SolverThreads : public ::testing::Test {};
using Scalars = ::testing::Types<float, double>;
TYPED_TEST_SUITE(SolverThreads, Scalars);

TYPED_TEST(SolverThreads, ProductsAreExactEnough) {
  using T = TypeParam;
  const Buffer<T> a = random_entries<T>(1), b = random_entries<T>(2);
  const std::vector<double> m = masses();
  long double plain = 0, weighted = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const long double product = static_cast<long double>(a[i]) * static_cast<long double>(b[i]);
    plain += product;
    weighted += m[i / kComponents] * product;
  }
  const double size = static_cast<double>(a.size());
  EXPECT_NEAR(ArraySpace<T>(a.size()).dot(a, b), static_cast<double>(plain), 1e-15 * size);
  EXPECT_NEAR(ArraySpace<T>(m, kComponents).dot(a, b), static_cast<double>(weighted), 1e-15 * size);
}

// A chain of points of many weights, each coordinate by itself.
template <class T>
void apply_chain(const std::vector<double>& m, const Buffer<T>& in, Buffer<T>& out) {
  parallel_for("chain", static_cast<std::int64_t>(kPoints), 512,
               [&](std::int64_t begin, std::int64_t end) {
                 for (auto p = static_cast<std::size_t>(begin); std::cmp_less(p, end); ++p)
                   for (std::size_t i = p * kComponents; i < (p + 1) * kComponents; ++i) {
                     double bend = 0;
                     if (p > 0) bend += static_cast<double>(in[i] - in[i - kComponents]);
                     if (p + 1 < kPoints) bend += static_cast<double>(in[i] - in[i + kComponents]);
                     out[i] = static_cast<T>(static_cast<double>(in[i]) + 0.3 * bend / m[p]);
                   }
               });
}

TYPED_TEST(SolverThreads, SolvesComeOutTheSame) {
  using T = TypeParam;
  const std::vector<double> m = masses();
  const ArraySpace<T> space(m, kComponents);
  const Buffer<T> right = random_entries<T>(3);
  const auto apply = [&](const Buffer<T>& in, Buffer<T>& out) { apply_chain(m, in, out); };
  const auto none = no_preconditioner(space);
  const auto solve_all = [&] {
    std::vector<Buffer<T>> solutions(3, space.make());
    CgSettings settings;
    settings.tolerance = 1e-3;
    GmresSettings restarted;
    restarted.tolerance = 1e-3;
    EXPECT_EQ(conjugate_gradient(space, apply, none, right, solutions[0], settings).stop,
              KrylovStop::converged);
    EXPECT_EQ(minres(space, apply, none, right, solutions[1], settings).stop,
              KrylovStop::converged);
    EXPECT_EQ(gmres(space, apply, none, right, solutions[2], restarted).stop,
              KrylovStop::converged);
    return solutions;
  };
  const int threads_before = thread_count();
  set_thread_count(1);
  const auto alone = solve_all();
  for (const int threads : {2, 3}) {
    set_thread_count(threads);
    const auto shared = solve_all();
    for (std::size_t s = 0; s < alone.size(); ++s)
      EXPECT_EQ(std::memcmp(alone[s].data(), shared[s].data(), space.size() * sizeof(T)), 0)
          << threads << " threads, solver " << s;
  }
  set_thread_count(threads_before);
}

// |x|^2 / 2 + sum m x^4 / 4 - b.x, with everything in the product of masses.
template <class T>
class Quartic : public ProblemDefaults<ArraySpace<T>> {
  using Base = ProblemDefaults<ArraySpace<T>>;

 public:
  using Vector = Buffer<T>;
  Quartic(const ArraySpace<T>& space, const Vector& b) : Base(space), b_(b) {}

  double objective(const Vector& x) {
    fill(squares_, [&](std::size_t i) { return x[i] * x[i]; });
    const ArraySpace<T>& space = this->space_;
    return space.dot(x, x) / 2 + space.dot(squares_, squares_) / 4 - space.dot(b_, x);
  }
  void gradient(const Vector& x, Vector& g) {
    fill(g, [&](std::size_t i) { return x[i] + x[i] * x[i] * x[i] - b_[i]; });
  }
  void linearize(const Vector& x, Curvature) {
    fill(bends_, [&](std::size_t i) { return 1 + 3 * x[i] * x[i]; });
  }
  void hessian(const Vector& d, Vector& out) {
    fill(out, [&](std::size_t i) { return bends_[i] * d[i]; });
  }

 private:
  template <class F>
  static void fill(Vector& v, F&& f) {
    parallel_for("quartic", static_cast<std::int64_t>(v.size()), 1000,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (auto i = static_cast<std::size_t>(begin); std::cmp_less(i, end); ++i)
                     v[i] = f(i);
                 });
  }

  const Vector& b_;
  Vector squares_ = this->space_.make(), bends_ = this->space_.make();
};

TYPED_TEST(SolverThreads, MinimizationComesOutTheSame) {
  using T = TypeParam;
  const ArraySpace<T> space(masses(), kComponents);
  const Buffer<T> b = random_entries<T>(3);
  MinimizeSettings settings;
  settings.tolerance = 1e-2;
  settings.objective_rounding = sizeof(T) == 4 ? 1e-6 : 1e-14;
  const auto solve = [&] {
    Quartic<T> problem(space, b);
    Buffer<T> x = space.make();
    const MinimizeReport report = minimize(space, problem, x, settings);
    EXPECT_TRUE(report.converged());
    EXPECT_GT(report.newton_steps, 2);
    return x;
  };
  const int threads_before = thread_count();
  set_thread_count(1);
  const Buffer<T> alone = solve();
  for (const int threads : {2, 3}) {
    set_thread_count(threads);
    EXPECT_EQ(std::memcmp(alone.data(), solve().data(), space.size() * sizeof(T)), 0) << threads;
  }
  set_thread_count(threads_before);
}

}  // namespace
}  // namespace firn
