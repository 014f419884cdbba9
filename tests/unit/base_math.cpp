// Elementary functions and SIMD vectors against the standard library.
#include "base/math.h"

#include <gtest/gtest.h>

#include <random>

namespace firn {
namespace {

template <class S>
class SimdMath : public ::testing::Test {};
using SimdTypes = ::testing::Types<Simd<float, 4>, Simd<float, 8>, Simd<double, 4>>;
TYPED_TEST_SUITE(SimdMath, SimdTypes);

// Largest error of f on SIMD vectors of random arguments, relative to |reference| + offset.
template <class S, class F, class G>
double worst_error(F f, G reference, double low, double high, double offset) {
  using T = ScalarOf<S>;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(low, high);
  double worst = 0;
  for (int n = 0; n < 20000; ++n) {
    S x(0);
    for (int i = 0; i < S::kWidth; ++i) x.set(i, T(uniform(random)));
    const S y = f(x);
    for (int i = 0; i < S::kWidth; ++i) {
      const double exact = reference(double(x[i]));
      worst = std::max(worst, std::abs(y[i] - exact) / (std::abs(exact) + offset));
    }
  }
  return worst;
}

TYPED_TEST(SimdMath, ElementaryFunctionsAreExactToRoundOff) {
  using S = TypeParam;
  const double eps = std::numeric_limits<ScalarOf<S>>::epsilon();
  const auto exp_ = [](auto x) { return exp_of(x); };
  const auto log_ = [](auto x) { return log_of(x); };
  EXPECT_LT(worst_error<S>(
                exp_, [](double x) { return std::exp(x); }, -80, 80, 0),
            2 * eps);
  EXPECT_LT(worst_error<S>(
                exp_, [](double x) { return std::exp(x); }, -0.1, 0.1, 0),
            eps);
  EXPECT_LT(worst_error<S>(
                log_, [](double x) { return std::log(x); }, 1e-4, 1e4, 0.01),
            2 * eps);
  // Near 1 the result itself vanishes: the error must stay below the round-off of the argument.
  EXPECT_LT(worst_error<S>(
                log_, [](double x) { return std::log(x); }, 0.9, 1.1, 0.5),
            eps);
  EXPECT_LT(worst_error<S>([](auto x) { return rsqrt_of(x); },
                           [](double x) { return 1 / std::sqrt(x); }, 1e-6, 1e6, 0),
            1.5 * eps);
  EXPECT_LT(worst_error<S>([](auto x) { return sqrt_of(x); }, [](double x) { return std::sqrt(x); },
                           0, 1e6, 0),
            eps);
  EXPECT_LT(worst_error<S>([](auto x) { return sin_quadrant(x); },
                           [](double x) { return std::sin(x); }, -kPi / 2, kPi / 2, 1e-3),
            2 * eps + 1e-11);
}

TYPED_TEST(SimdMath, ExtremesStayFinite) {
  using S = TypeParam;
  EXPECT_EQ(exp_of(S(0))[0], 1);
  EXPECT_EQ(log_of(S(1))[0], 0);
  EXPECT_LT(log_of(S(0))[0], -80);
  EXPECT_TRUE(std::isfinite(log_of(S(-1))[0]));
  EXPECT_GE(exp_of(S(-1000))[0], 0);
  EXPECT_LT(exp_of(S(-1000))[0], 1e-30);
}

TYPED_TEST(SimdMath, LanesAreIndependent) {
  using S = TypeParam;
  using T = ScalarOf<S>;
  constexpr int W = S::kWidth;
  T a[W + 1], b[W + 1], out[W + 1];
  for (int i = 0; i <= W; ++i) {
    a[i] = T(i + 1);
    b[i] = T(W - i);
    out[i] = T(-1);
  }
  const S x = S::load(a), y = S::load(b);
  const auto less = x < y;
  const S chosen = select(less, x, y);
  int expected = 0;
  for (int i = 0; i < W; ++i) {
    EXPECT_EQ(less[i], a[i] < b[i]);
    EXPECT_EQ(chosen[i], std::min(a[i], b[i]));
    EXPECT_EQ(min_of(x, y)[i], std::min(a[i], b[i]));
    EXPECT_EQ(max_of(x, y)[i], std::max(a[i], b[i]));
    EXPECT_EQ((x * y - x / y)[i], a[i] * b[i] - a[i] / b[i]);
    EXPECT_EQ(abs_of(-x)[i], a[i]);
    expected += i < W - 1 && a[i] < b[i];
  }
  EXPECT_EQ(count(less, W - 1), expected);
  EXPECT_EQ(max_lane(y), T(W));
  EXPECT_TRUE(any(less));
  EXPECT_FALSE(any(x < S(0)));
  for (int i = 0; i < W; ++i) {
    S one(0);
    one.set(i, T(1));
    EXPECT_TRUE(any(one > S(0))) << i;
  }

  const S part = S::load(a, W - 1);
  EXPECT_EQ(part[W - 1], a[W - 2]);
  part.store(out, W - 1);
  EXPECT_EQ(out[W - 2], a[W - 2]);
  EXPECT_EQ(out[W - 1], T(-1));
}

TEST(Math, NotANumberGivesTheSecondArgument) {
  const Simd<float, 8> nan(NAN), one(1);
  EXPECT_EQ(min_of(nan, one)[5], 1);
  EXPECT_EQ(max_of(nan, one)[5], 1);
  EXPECT_EQ(clamp(nan, one, Simd<float, 8>(2))[0], 1);
}

TEST(Math, ScalarFloatAgreesWithSimd) {
  for (float x = 0.01f; x < 20; x *= 1.07f) {
    EXPECT_NEAR(log_of(x), std::log(x), 3e-7 * std::abs(std::log(x)) + 1e-8);
    EXPECT_NEAR(exp_of(x), std::exp(x), 2e-7 * std::exp(x));
    EXPECT_NEAR(pow_of(x, 1.7f), std::pow(x, 1.7f), 2e-6 * std::pow(x, 1.7f));
  }
}

}  // namespace
}  // namespace firn
