// Tangents of particles in columns: whole, and rough.
#include "mpm/tangent_columns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "mpm/few_nodes.h"

namespace firn {
namespace {

constexpr int kLanesHere = 4;
constexpr double kStiffness[kLanesHere] = {1, 1e-18, 1e-7, 1e12};

// Numbers of all signs; stiffness of a size by lane.
template <class S, int D>
GradientTangent<S, D> some_tangent(bool viscous) {
  using T = ScalarOf<S>;
  GradientTangent<S, D> t;
  RandomStream stream(7, 0);
  int c = 0;
  t.for_each([&](S& x) {
    for (int l = 0; l < S::kWidth; ++l)
      x.set(l, T((stream.next_double() - 0.5) * (c < t.kFirstByStretch ? 1 : kStiffness[l])));
    if (++c == t.kCount && !viscous) x = S(0);
  });
  return t;
}

template <class Model, class T, int D>
void expect_kept(bool rough, double within) {
  using S = Simd<T, kLanesHere>;
  using Kept = TangentColumns<Model, S, D>;
  GradientTangent<S, D> t = some_tangent<S, D>(is_viscous<Model>);
  const GradientTangent<S, D> before = t;
  Columns<T> columns(rough ? Kept::kRough : Kept::kWhole);
  columns.resize(kLanesHere);
  Kept::store(t, columns, 0, kLanesHere);
  const auto found =
      Kept::load(columns.components() == Kept::kWhole, [&](int c) { return S::load(columns[c]); });
  Mat<S, D> change;
  for (int k = 0; k < D * D; ++k) change(k / D, k % D) = S(T(1 + k % 4));
  const Mat<S, D> was = before.apply(change), is = found.apply(change);
  for (int l = 0; l < kLanesHere; ++l) {
    double largest = 0;
    for (int k = 0; k < D * D; ++k)
      largest = std::max(largest, std::abs(double(was(k / D, k % D)[l])));
    for (int k = 0; k < D * D; ++k)
      EXPECT_NEAR(is(k / D, k % D)[l], was(k / D, k % D)[l], within * largest) << k;
  }
}

TEST(TangentColumns, KeepAllDigitsWhereTheyAreWhole) {
  expect_kept<FixedCorotated, float, 2>(false, 0);
  expect_kept<FixedCorotated, float, 3>(false, 0);
  expect_kept<Viscoelastic, float, 3>(false, 0);
  expect_kept<FixedCorotated, double, 3>(true, 0);
}

TEST(TangentColumns, KeepElevenDigitsOfDerivativesByStretch) {
  expect_kept<FixedCorotated, float, 2>(true, 2e-3);
  expect_kept<FixedCorotated, float, 3>(true, 2e-3);
  expect_kept<Viscoelastic, float, 3>(true, 2e-3);
}

TEST(FewNodes, HaveAValueOrNone) {
  FewNodes<int> few;
  few.begin(10);
  few.at(7, 3) += 1;
  few.at(7, 0) += 1;
  few.at(2, 9);
  ASSERT_EQ(few.size(), 2u);
  EXPECT_EQ(few.node(0), 7u);
  EXPECT_EQ(*few.find(7), 5);
  EXPECT_EQ(few.value(1), 9);
  EXPECT_EQ(few.find(3), nullptr);
  few.clear();
  EXPECT_EQ(few.find(7), nullptr);
  EXPECT_EQ(few.size(), 0u);
}

}  // namespace
}  // namespace firn
