// Sums of doubles that do not depend on the order of their terms.
#include "cuda/exact_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace firn {
namespace {

using Digits = std::vector<unsigned long long>;

double sum_of(const std::vector<double>& terms) {
  Digits digits(kExactDigits, 0);
  for (const double term : terms) {
    const ExactParts parts = exact_parts(term);
    for (int k = 0; k < 3; ++k)
      digits[parts.first + k] += parts.negative ? 0 - parts.part[k] : parts.part[k];
  }
  return exact_value(digits.data());
}

TEST(ExactSum, OneTermIsItself) {
  for (const double x : {0.0, 1.0, -1.0, 0.1, -1e300, 3e-310, -5e-324, 1.7976931348623157e308})
    EXPECT_EQ(sum_of({x}), x);
}

TEST(ExactSum, NothingIsLostBesideLargeTerms) {
  EXPECT_EQ(sum_of({1e200, 1e-200, -1e200}), 1e-200);
  EXPECT_EQ(sum_of({-1e16, -1.0, 1e16}), -1.0);
  EXPECT_EQ(sum_of({5e-324, -5e-324}), 0.0);
}

TEST(ExactSum, WhatIsNotFiniteIsLeftOut) {
  EXPECT_EQ(sum_of({2.0, std::numeric_limits<double>::infinity(),
                    std::numeric_limits<double>::quiet_NaN()}),
            2.0);
}

TEST(ExactSum, OrderDoesNotMatter) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> mantissa(-1, 1), exponent(-300, 300);
  std::vector<double> terms(2000);
  for (double& term : terms) term = std::ldexp(mantissa(random), int(exponent(random)));
  const double expected = sum_of(terms);
  for (int n = 0; n < 5; ++n) {
    std::shuffle(terms.begin(), terms.end(), random);
    EXPECT_EQ(sum_of(terms), expected);
  }
  // Of the same terms with the other sign.
  for (double& term : terms) term = -term;
  EXPECT_EQ(sum_of(terms), -expected);
}

TEST(ExactSum, AgreesWithWiderNumbers) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> value(-1, 1);
  std::vector<double> terms(1000);
  long double wide = 0;
  for (double& term : terms) wide += term = value(random);
  EXPECT_NEAR(sum_of(terms), double(wide), 1e-15 * 1000);
}

}  // namespace
}  // namespace firn
