// The block of one node in the preconditioner of an implicit step. Host and device.
#pragma once

#include "base/mat.h"
#include "base/math.h"

namespace firn {

// Leading minors, in double: squares of stiffness over mass overflow in float.
template <int D>
FIRN_HD inline bool is_definite(const SymMat<double, D>& a) {
  const double minor = a(0, 0) * a(1, 1) - a(0, 1) * a(0, 1);
  if (!(a(0, 0) > 0) || !(minor > 1e-12 * a(0, 0) * a(1, 1))) return false;
  if constexpr (D == 3)
    return determinant(a.full()) > 1e-12 * a(0, 0) * a(1, 1) * a(2, 2) && a(2, 2) > 0;
  return true;
}

// The inverse of I + scale K, K given by its entries on the diagonal and beside it; with `whole`
// all of it, else of the diagonal alone. Matrices that bend down along some direction count by
// their diagonal.
template <class T, int D>
FIRN_HD inline SymMat<double, D> inverse_block(double scale, const T* diagonal, const T* beside,
                                               bool whole) {
  SymMat<double, D> sum, inverse;
  for (int k = 0; k < SymMat<double, D>::kSize; ++k) inverse.e[k] = 0;
  for (int a = 0; a < D; ++a) sum(a, a) = 1 + scale * double(diagonal[a]);
  for (int a = 0, at = 0; a < D; ++a)
    for (int b = a + 1; b < D; ++b) sum(a, b) = scale * double(beside[at++]);
  if (whole && is_definite(sum)) {
    const Mat<double, D> m = firn::inverse(sum.full());
    for (int a = 0; a < D; ++a)
      for (int b = a; b < D; ++b) inverse(a, b) = 0.5 * (m(a, b) + m(b, a));
  } else {
    for (int a = 0; a < D; ++a) inverse(a, a) = 1 / max_of(sum(a, a), 1.0);
  }
  return inverse;
}

// A block, as it is stored, times a vector.
template <class T, int D>
FIRN_HD inline Vec<T, D> block_product(const T* diagonal, const T* beside, const Vec<T, D>& v) {
  SymMat<T, D> m;
  for (int a = 0, at = 0; a < D; ++a) {
    m(a, a) = diagonal[a];
    for (int b = a + 1; b < D; ++b) m(a, b) = beside[at++];
  }
  Vec<T, D> r = Vec<T, D>::zero();
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) r[i] += m(i, j) * v[j];
  return r;
}

}  // namespace firn
