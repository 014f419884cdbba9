// Spectral decompositions, of matrices with equal and nearly equal eigenvalues too.
#include "base/spectrum.h"

#include <gtest/gtest.h>

#include "random_matrices.h"

namespace firn {
namespace {

using testing::Random;
using testing::random_rotation;
using testing::uniform;

// Eigenvalues of increasing trouble: generic, a pair that nearly coincides, a pair that does
// (in both positions), all nearly the same, all the same, far apart.
template <int D>
Vec<double, D> eigenvalues(Random& random, int kind) {
  Vec<double, D> v;
  for (int i = 0; i < D; ++i) v[i] = uniform(random, 0.5, 2);
  const double gap = std::pow(10.0, uniform(random, -12, -1));
  if (kind == 1) v[D - 1] = v[D - 2] * (1 + gap);
  if (kind == 2) v[D - 1] = v[D - 2];
  if (kind == 3)
    for (int i = 1; i < D; ++i) v[i] = v[0] * (1 + gap * uniform(random, -1, 1));
  if (kind == 4) v = Vec<double, D>::fill(v[0]);
  if (kind == 5) v[0] = uniform(random, 50, 100);
  return v;
}

template <class T, int D>
SymMat<T, D> symmetric(const Mat<double, D>& axes, const Vec<double, D>& values) {
  const SymMat<double, D> b = from_spectrum(axes, values);
  SymMat<T, D> r;
  for (int i = 0; i < SymMat<T, D>::kSize; ++i) r.e[i] = static_cast<T>(b.e[i]);
  return r;
}

template <class T, int D>
void functions_of_matrices_are_accurate(double tolerance) {
  Random random(3);
  for (int n = 0; n < 6000; ++n) {
    const Mat<double, D> axes = random_rotation<D>(random);
    const Vec<double, D> values = eigenvalues<D>(random, n % 6);
    const SymMat<T, D> b = symmetric<T>(axes, values);
    const Principal<T, D> p = principal(b);
    // Three functions: the matrix itself, its logarithm, and one with a kink amid the values.
    const auto check = [&](const char* what, auto f) {
      Vec<double, D> exact_values;
      Vec<T, D> computed_values;
      double scale = 0;
      for (int i = 0; i < D; ++i) {
        exact_values[i] = f(values[i]);
        computed_values[i] = static_cast<T>(f(double(p.value[i])));
        scale = std::max(scale, values[i]);
      }
      const SymMat<double, D> exact = from_spectrum(axes, exact_values);
      const SymMat<T, D> computed = assemble(p, computed_values);
      for (int i = 0; i < SymMat<T, D>::kSize; ++i)
        EXPECT_NEAR(computed.e[i], exact.e[i], tolerance * scale) << what << " kind " << n % 6;
    };
    const double kink = values[D - 1];
    check("identity", [](double x) { return x; });
    check("logarithm", [](double x) { return 0.5 * std::log(x); });
    check("clamp", [kink](double x) { return std::min(x, kink); });
  }
}

TEST(Principal, FunctionsOfMatricesInDouble) {
  functions_of_matrices_are_accurate<double, 2>(1e-14);
  functions_of_matrices_are_accurate<double, 3>(2e-14);
}

TEST(Principal, FunctionsOfMatricesInFloat) {
  functions_of_matrices_are_accurate<float, 2>(6e-7);
  functions_of_matrices_are_accurate<float, 3>(1e-6);
}

// Deviators of a few last digits, which need not even be traceless.
TEST(Principal, MultiplesOfTheIdentityWithNoiseInTheLastDigits) {
  Random random(9);
  for (int n = 0; n < 200000; ++n) {
    SymMat<float, 3> b = SymMat<float, 3>::isotropic(1);
    for (int i = 0; i < 6; ++i)
      b.e[i] += 6e-8f * static_cast<float>(static_cast<int>(uniform(random, -3, 4)));
    const Principal<float, 3> p = principal(b);
    for (int i = 0; i < 6; ++i) {
      EXPECT_LT(std::abs(p.isolated.e[i]), 3);
      EXPECT_NEAR(assemble(p, p.value).e[i], b.e[i], 1e-6);
    }
  }
}

TEST(Principal, EqualFunctionValuesGiveExactlyAMultipleOfTheIdentity) {
  Random random(5);
  for (int n = 0; n < 100; ++n) {
    const SymMat<float, 3> b =
        symmetric<float>(random_rotation<3>(random), eigenvalues<3>(random, n % 6));
    const SymMat<float, 3> one = assemble(principal(b), Vec<float, 3>::fill(1));
    for (int i = 0; i < 6; ++i) EXPECT_EQ(one.e[i], i < 3 ? 1.0f : 0.0f);
  }
}

TEST(Principal, OrderOfTheValues) {
  Random random(6);
  for (int n = 0; n < 1000; ++n) {
    const SymMat<double, 3> b =
        symmetric<double>(random_rotation<3>(random), eigenvalues<3>(random, n % 6));
    const Vec<double, 3> v = principal(b).value;
    const double noise = 1e-12 * v[0];
    EXPECT_GE(v[1], v[2]);
    EXPECT_TRUE(v[0] >= v[1] - noise || v[0] <= v[2] + noise);
  }
}

TEST(Principal, DiagonalAndZeroMatrices) {
  const Principal<float, 3> zero = principal(SymMat<float, 3>::isotropic(0));
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(zero.value[i], 0, 1e-14);
  const SymMat<float, 3> same = assemble(zero, Vec<float, 3>{{2, 2, 2}});
  EXPECT_EQ(same.e[0], 2);
  EXPECT_EQ(same.e[3], 0);
  const Principal<double, 2> flat = principal(SymMat<double, 2>{{4, 1, 0}});
  EXPECT_DOUBLE_EQ(flat.value[0], 4);
  EXPECT_DOUBLE_EQ(flat.value[1], 1);
}

template <class T, int D>
void axes_diagonalize(double tolerance) {
  Random random(4);
  for (int n = 0; n < 3000; ++n) {
    const Vec<double, D> values = eigenvalues<D>(random, n % 6);
    const SymMat<T, D> b = symmetric<T>(random_rotation<D>(random), values);
    const Spectrum<T, D> s = spectrum(b);
    const SymMat<T, D> back = from_spectrum(s.axes, s.eigenvalue);
    const Mat<T, D> orthogonal = transpose(s.axes) * s.axes;
    double scale = 0;
    for (int i = 0; i < D; ++i) scale = std::max(scale, values[i]);
    for (int i = 0; i < SymMat<T, D>::kSize; ++i)
      EXPECT_NEAR(back.e[i], b.e[i], tolerance * scale) << n % 6;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) EXPECT_NEAR(orthogonal(i, j), i == j, tolerance);
  }
}

TEST(Spectrum, AxesDiagonalize) {
  axes_diagonalize<float, 2>(1e-6);
  axes_diagonalize<float, 3>(2e-6);
  axes_diagonalize<double, 2>(1e-14);
  axes_diagonalize<double, 3>(1e-14);
}

TEST(Principal, LargestEigenvalueBound) {
  Random random(8);
  for (int n = 0; n < 1000; ++n) {
    const Vec<double, 3> values = eigenvalues<3>(random, n % 6);
    const double largest = std::max({values[0], values[1], values[2]});
    const double bound =
        largest_eigenvalue_bound(symmetric<double>(random_rotation<3>(random), values));
    EXPECT_GE(bound, largest * (1 - 1e-12));
    EXPECT_LE(bound, largest + (values[0] + values[1] + values[2]) / 2);
  }
  EXPECT_DOUBLE_EQ(largest_eigenvalue_bound(SymMat<double, 3>::isotropic(2)), 2);
}

}  // namespace
}  // namespace firn
