// The block of one node in the preconditioner of an implicit step. Host and device.
#pragma once

#include "base/mat.h"
#include "base/math.h"

namespace firn {

// Leading minors, in double: squares of stiffness over mass overflow in float. Of each file its
// own: what the compiler makes of products and sums depends on that, and so do last digits.
template <int D>
FIRN_HD static bool is_definite(const SymMat<double, D>& a) {
  const double minor = a(0, 0) * a(1, 1) - a(0, 1) * a(0, 1);
  if (!(a(0, 0) > 0) || !(minor > 1e-12 * a(0, 0) * a(1, 1))) return false;
  if constexpr (D == 3)
    return determinant(a.full()) > 1e-12 * a(0, 0) * a(1, 1) * a(2, 2) && a(2, 2) > 0;
  return true;
}

// The inverse of I + share K / mass, K given by its entries on the diagonal, on(a), and beside it,
// off(k); with `blocks` all of it, else of the diagonal alone. Matrices that bend down along some
// direction count by their diagonal.
template <int D, class On, class Off>
FIRN_INLINE SymMat<double, D> inverse_block(double mass, double share, bool blocks, const On& on,
                                            const Off& off) {
  SymMat<double, D> whole, inverse;
  for (int k = 0; k < SymMat<double, D>::kSize; ++k) inverse.e[k] = 0;
  for (int a = 0; a < D; ++a) inverse(a, a) = 1;
  if (!(mass > 0)) return inverse;
  const double scale = share / mass;
  for (int a = 0; a < D; ++a) whole(a, a) = 1 + scale * double(on(a));
  for (int a = 0, at = 0; a < D; ++a)
    for (int b = a + 1; b < D; ++b) whole(a, b) = scale * double(off(at++));
  if (blocks && is_definite(whole)) {
    const Mat<double, D> m = firn::inverse(whole.full());
    for (int a = 0; a < D; ++a)
      for (int b = a; b < D; ++b) inverse(a, b) = 0.5 * (m(a, b) + m(b, a));
  } else {
    for (int a = 0; a < D; ++a) inverse(a, a) = 1 / max_of(whole(a, a), 1.0);
  }
  return inverse;
}

// A block, as it is stored, times a vector.
template <class T, int D, class On, class Off>
FIRN_INLINE Vec<T, D> block_product(const On& on, const Off& off, const Vec<T, D>& v) {
  SymMat<T, D> m;
  for (int a = 0, at = 0; a < D; ++a) {
    m(a, a) = on(a);
    for (int b = a + 1; b < D; ++b) m(a, b) = off(at++);
  }
  Vec<T, D> r = Vec<T, D>::zero();
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) r[i] += m(i, j) * v[j];
  return r;
}

}  // namespace firn
