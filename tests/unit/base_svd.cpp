// Singular value decompositions of all kinds of matrices: what must hold of U, s and V, whatever F.
#include "base/svd.h"

#include <gtest/gtest.h>

#include <limits>

#include "random_matrices.h"

namespace firn {
namespace {

using testing::largest_entry;
using testing::Random;
using testing::random_matrix;
using testing::random_rotation;
using testing::random_stretches;
using testing::uniform;
using testing::with_stretches;

constexpr int kKinds = 14;

// Generic, inverted, nearly equal and equal values, far apart, flat, of rank one and zero, with few
// different entries, entries and columns of all sizes, diagonal, tiny and huge.
template <int D>
Mat<double, D> matrix_of_kind(Random& random, int kind) {
  Vec<double, D> s = random_stretches<D>(random, 0.5, 2);
  const double gap = std::pow(10.0, uniform(random, -17, -1));
  if (kind == 1) s[0] = -s[0];
  if (kind == 2) s[D - 1] = s[0] * (1 + gap);
  if (kind == 3)
    for (int i = 1; i < D; ++i) s[i] = s[0] * (1 + gap * uniform(random, -1, 1));
  if (kind == 4) s = Vec<double, D>::fill(s[0]);
  if (kind == 5)
    for (int i = 0; i < D; ++i) s[i] = std::pow(10.0, uniform(random, -9, 9));
  if (kind == 6) s[0] = gap * (random() % 2 ? 1 : -1);
  if (kind == 7)
    for (int i = 1; i < D; ++i) s[i] = 0;
  if (kind == 8) s = Vec<double, D>::zero();
  Mat<double, D> F = with_stretches<D>(random, s);
  for (int j = 0; j < D; ++j) {
    const double column = std::pow(10.0, uniform(random, -9, 0));
    for (int i = 0; i < D; ++i) {
      if (kind == 9) F(i, j) = std::floor(uniform(random, -1, 2));
      if (kind == 10) F(i, j) = uniform(random, -1, 1) * std::pow(10.0, uniform(random, -12, 0));
      if (kind == 11) F(i, j) *= column;
      if (kind == 12) F(i, j) = i == j ? std::floor(uniform(random, -2, 3)) : 0;
    }
  }
  return kind == 13 ? F * (random() % 2 ? 1e-30 : 1e30) : F;
}

template <class T>
double round_off() {
  return static_cast<double>(std::numeric_limits<T>::epsilon());
}

template <int D>
double distance_from_rotation(const Mat<double, D>& Q) {
  return std::max(largest_entry(transpose(Q) * Q - Mat<double, D>::identity()),
                  std::abs(determinant(Q) - 1));
}

template <class T, int D>
void expect_decomposition(const Mat<T, D>& F, const Svd<T, D>& r, int kind) {
  const Mat<double, D> exact = F.template cast<double>(), U = r.U.template cast<double>(),
                       V = r.V.template cast<double>();
  const double scale = largest_entry(exact);
  const Mat<double, D> S = Mat<double, D>::diagonal(r.s.template cast<double>());
  // Written so that what is not a number fails.
  EXPECT_TRUE(largest_entry(U * S * transpose(V) - exact) <= 16 * round_off<T>() * scale) << kind;
  EXPECT_TRUE(distance_from_rotation(U) <= 16 * round_off<T>()) << kind;
  EXPECT_TRUE(distance_from_rotation(V) <= 16 * round_off<T>()) << kind;
  for (int i = 0; i + 1 < D; ++i) {
    EXPECT_GE(r.s[i], std::abs(r.s[i + 1])) << kind;
    EXPECT_GE(r.s[i], 0) << kind;
  }
  const double J = determinant(exact) / std::max(std::pow(scale, D), 1e-300);
  if (std::abs(J) > 16 * round_off<T>()) {
    EXPECT_EQ(r.s[D - 1] < 0, J < 0) << kind;
  }
}

template <class T, int D>
void decompositions_hold() {
  Random random(1);
  for (int n = 0; n < 1000 * kKinds; ++n) {
    const Mat<T, D> F = matrix_of_kind<D>(random, n % kKinds).template cast<T>();
    expect_decomposition(F, svd(F), n % kKinds);
  }
}

TEST(Svd, HoldsForAllKindsOfMatrices) {
  decompositions_hold<float, 2>();
  decompositions_hold<float, 3>();
  decompositions_hold<double, 2>();
  decompositions_hold<double, 3>();
}

// All matrices whose entries are -1, 0 or 1: every coincidence of values and ranks.
TEST(Svd, HoldsForAllMatricesOfThreeNumbers) {
  for (int code = 0; code < 19683; ++code) {
    Mat<double, 3> F;
    for (int k = 0, rest = code; k < 9; ++k, rest /= 3) F(k / 3, k % 3) = rest % 3 - 1;
    expect_decomposition(F, svd(F), code);
    expect_decomposition(F.cast<float>(), svd(F.cast<float>()), code);
  }
}

template <int D>
void values_are_those_given() {
  Random random(2);
  for (int n = 0; n < 2000; ++n) {
    Vec<double, D> s = random_stretches<D>(random, 0.1, 3);
    std::sort(s.e, s.e + D, std::greater<>());
    if (n % 2) s[D - 1] = -s[D - 1];
    const Vec<double, D> found = svd(with_stretches<D>(random, s)).s;
    for (int i = 0; i < D; ++i) EXPECT_NEAR(found[i], s[i], 1e-14);
  }
}

TEST(Svd, ValuesAreThoseGiven) {
  values_are_those_given<2>();
  values_are_those_given<3>();
}

// Of F with columns of very different lengths F^T F would have lost the small values altogether.
TEST(Svd, SmallValuesKeepTheirDigits) {
  Random random(3);
  for (int n = 0; n < 2000; ++n) {
    const Mat<double, 3> Q = random_rotation<3>(random), R = random_matrix<3>(random, 0.1);
    const Mat<double, 3> columns = Mat<double, 3>::diagonal({{1, 1e-5, 1e-10}});
    const Mat<float, 3> F = (Q * (Mat<double, 3>::identity() + R) * columns).cast<float>();
    const Vec<float, 3> s = svd(F).s;
    const Vec<double, 3> exact = svd(F.cast<double>()).s;
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(s[i], exact[i], 2e-6 * exact[i]);
    EXPECT_NEAR(product(exact), determinant(F.cast<double>()), 1e-12 * product(exact));
  }
}

template <class T, int W, int D>
void lanes_are_scalars() {
  Random random(4);
  for (int n = 0; n < 200; ++n) {
    Mat<T, D> one[W];
    Mat<Simd<T, W>, D> pack;
    for (int l = 0; l < W; ++l) {
      one[l] = matrix_of_kind<D>(random, (n + l) % kKinds).template cast<T>();
      for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) pack(i, j).set(l, one[l](i, j));
    }
    const Svd<Simd<T, W>, D> r = svd(pack);
    for (int l = 0; l < W; ++l) {
      Svd<T, D> lane;
      for (int i = 0; i < D; ++i) {
        lane.s[i] = r.s[i][l];
        for (int j = 0; j < D; ++j) {
          lane.U(i, j) = r.U(i, j)[l];
          lane.V(i, j) = r.V(i, j)[l];
        }
      }
      const int kind = (n + l) % kKinds;
      expect_decomposition(one[l], lane, kind);
      const Svd<T, D> scalar = svd(one[l]);
      for (int i = 0; i < D; ++i)
        EXPECT_NEAR(lane.s[i], scalar.s[i], 16 * round_off<T>() * scalar.s[0]) << kind;
      // Where two values coincide but for their signs, rounding chooses among the axes.
      double gap = scalar.s[0];
      for (int i = 1; i < D; ++i)
        gap = std::min(gap, double(scalar.s[i - 1] - std::abs(scalar.s[i])));
      if (gap < 0.1 * scalar.s[0] || kind == 9) continue;
      for (int k = 0; k < D * D; ++k) {
        EXPECT_NEAR(lane.U(k / D, k % D), scalar.U(k / D, k % D), 500 * round_off<T>()) << kind;
        EXPECT_NEAR(lane.V(k / D, k % D), scalar.V(k / D, k % D), 500 * round_off<T>()) << kind;
      }
    }
  }
}

TEST(Svd, LanesOfPacksAreScalars) {
  lanes_are_scalars<float, 4, 2>();
  lanes_are_scalars<float, 8, 3>();
  lanes_are_scalars<float, 16, 3>();
  lanes_are_scalars<float, 32, 3>();
  lanes_are_scalars<double, 2, 3>();
  lanes_are_scalars<double, 4, 2>();
  lanes_are_scalars<double, 8, 3>();
}

TEST(Svd, IdentityAndZeroAreExact) {
  const Svd<float, 3> one = svd(Mat<float, 3>::identity()), none = svd(Mat<float, 3>::zero());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(one.s[i], 1);
    EXPECT_EQ(none.s[i], 0);
    for (int j = 0; j < 3; ++j) {
      EXPECT_EQ(one.U(i, j), i == j);
      EXPECT_EQ(one.V(i, j), i == j);
      EXPECT_EQ(none.U(i, j), i == j);
    }
  }
}

}  // namespace
}  // namespace firn
