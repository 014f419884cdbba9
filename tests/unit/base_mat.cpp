// Small matrices: products, determinants, inverses, and symmetric storage.
#include "base/mat.h"

#include <gtest/gtest.h>

#include "random_matrices.h"

namespace firn {
namespace {

using testing::largest_entry;
using testing::Random;
using testing::random_matrix;

template <int D>
void algebra() {
  Random random(1);
  for (int n = 0; n < 200; ++n) {
    const Mat<double, D> a = random_matrix<D>(random, 1), b = random_matrix<D>(random, 1);
    EXPECT_NEAR(determinant(a * b), determinant(a) * determinant(b), 1e-13);
    if (std::abs(determinant(a)) > 0.05) {
      EXPECT_LT(largest_entry(a * inverse(a) - Mat<double, D>::identity()), 1e-12);
      EXPECT_LT(largest_entry(cofactors(a) - transpose(inverse(a)) * determinant(a)), 1e-13);
    }
    EXPECT_NEAR(contract(a, b), trace(transpose(a) * b), 1e-14);
    const SymMat<double, D> own = times_own_transpose(a);
    EXPECT_LT(largest_entry(own.full() - a * transpose(a)), 1e-15);
    EXPECT_LT(largest_entry(own * b - own.full() * b), 1e-15);
    EXPECT_NEAR(trace(own), contract(a, a), 1e-14);
  }
}

TEST(Mat, Algebra) {
  algebra<2>();
  algebra<3>();
}

TEST(SymMat, EntriesFollowVoigtOrder) {
  const SymMat<double, 3> a{{1, 2, 3, 4, 5, 6}};
  EXPECT_EQ(a(1, 2), 4);
  EXPECT_EQ(a(2, 0), 5);
  EXPECT_EQ(a(0, 1), 6);
  const SymMat<double, 2> b{{1, 2, 3}};
  EXPECT_EQ(b(1, 0), 3);
}

}  // namespace
}  // namespace firn
