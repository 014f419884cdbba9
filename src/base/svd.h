// Singular value decomposition F = U diag(s) V^T with rotations U and V, without branches, for SIMD
// vectors of particles too.
//
// Rotations from the right make the columns of F orthogonal (one-sided Jacobi; V is their product),
// and Givens rotations from the left make what results triangular: U is theirs, the diagonal holds
// s, and the rest is round-off. F^T F is never formed as a matrix, so that small values keep their
// digits, and U is a rotation whatever the rank of F.
#pragma once

#include "base/mat.h"
#include "base/math.h"

namespace firn {

template <class S, int N>
struct Svd {
  Mat<S, N> U, V;  // rotations
  Vec<S, N> s;     // |s| descending; the last has the sign of det F, the others are not negative
};

namespace detail {

// Columns p and q of m, turned by the angle of cosine c and sine s.
template <class S, int N>
FIRN_INLINE void turn_columns(Mat<S, N>& m, int p, int q, S c, S s) {
  for (int i = 0; i < N; ++i) {
    const S mip = m(i, p), miq = m(i, q);
    m(i, p) = c * mip - s * miq;
    m(i, q) = s * mip + c * miq;
  }
}

template <class S, int N>
FIRN_INLINE S column_product(const Mat<S, N>& m, int p, int q) {
  S r = m(0, p) * m(0, q);
  for (int i = 1; i < N; ++i) r = r + m(i, p) * m(i, q);
  return r;
}

// Makes columns p and q of B orthogonal: the tangent of the smaller angle that does so is
// 1 / (ratio +- sqrt(1 + ratio^2)), which is zero where the ratio overflows. Columns as long as
// each other and orthogonal but for rounding stay: rounding alone would turn them by any angle.
template <class S, int N>
FIRN_INLINE void make_orthogonal(Mat<S, N>& B, Mat<S, N>& V, int p, int q) {
  using T = ScalarOf<S>;
  constexpr T kRoundOff = sizeof(T) == 4 ? T(6e-8) : T(1.1e-16);
  const S product = column_product(B, p, q), pp = column_product(B, p, p),
          qq = column_product(B, q, q);
  const auto done = abs_of(product) <= S(kRoundOff) * min_of(pp, qq);
  const S half = S(T(0.5)) * (qq - pp);
  const S ratio = half / select(done, S(1), product), length = sqrt_of(S(1) + ratio * ratio);
  const S tangent = select(done, S(0), S(1) / select(ratio < S(0), ratio - length, ratio + length));
  const S c = rsqrt_of(S(1) + tangent * tangent), s = c * tangent;
  turn_columns(B, p, q, c, s);
  turn_columns(V, p, q, c, s);
}

// Puts the longer of columns p < q first: they change places, one of them its sign.
template <class S, int N>
FIRN_INLINE void put_longer_first(Mat<S, N>& B, Mat<S, N>& V, int p, int q) {
  const auto wrong = column_product(B, p, p) < column_product(B, q, q);
  const S c = select(wrong, S(0), S(1)), s = select(wrong, S(1), S(0));
  turn_columns(B, p, q, c, s);
  turn_columns(V, p, q, c, s);
}

// Turns rows p and q of R, so that R(q, p) = 0 and R(p, p) >= 0, and columns of U against it.
// Numbers too small to be divided by count as zero.
template <class S, int N>
FIRN_INLINE void make_triangular(Mat<S, N>& R, Mat<S, N>& U, int p, int q) {
  using T = ScalarOf<S>;
  constexpr T kSmallest = sizeof(T) == 4 ? T(1e-37) : T(1e-306);
  const S size = max_of(abs_of(R(p, p)), abs_of(R(q, p)));
  const auto zero = size < S(kSmallest);
  const S divisor = select(zero, S(1), size);
  const S x = select(zero, S(1), R(p, p) / divisor), y = select(zero, S(0), R(q, p) / divisor);
  const S inverse = rsqrt_of(x * x + y * y), c = x * inverse, s = y * inverse;
  for (int k = p; k < N; ++k) {
    const S rpk = R(p, k), rqk = R(q, k);
    R(p, k) = c * rpk + s * rqk;
    R(q, k) = c * rqk - s * rpk;
  }
  turn_columns(U, p, q, c, -s);
}

}  // namespace detail

// The convergence is quadratic, and one sweep is enough in 2D but for rounding.
template <class S, int N>
FIRN_HD inline Svd<S, N> svd(const Mat<S, N>& F) {
  using T = ScalarOf<S>;
  constexpr int kSweeps = N == 2 ? 2 : sizeof(T) == 4 ? 4 : 5;
  S size = S(0);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) size = max_of(size, abs_of(F(i, j)));
  const S divisor = select(size > S(0), size, S(1));
  Mat<S, N> B;  // so scaled that no square overflows
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) B(i, j) = F(i, j) / divisor;

  Svd<S, N> r;
  r.U = r.V = Mat<S, N>::identity();
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    for (int p = 0; p < N; ++p)
      for (int q = p + 1; q < N; ++q) detail::make_orthogonal(B, r.V, p, q);
  for (int pass = 1; pass < N; ++pass)
    for (int p = 0; p + pass < N; ++p) detail::put_longer_first(B, r.V, p, p + 1);
  for (int p = 0; p < N; ++p)
    for (int q = p + 1; q < N; ++q) detail::make_triangular(B, r.U, p, q);

  // Values that are equal but for rounding come out in any order.
  r.s[0] = B(0, 0);
  for (int i = 1; i < N; ++i) r.s[i] = min_of(abs_of(B(i, i)), r.s[i - 1]);
  r.s[N - 1] = select(B(N - 1, N - 1) < S(0), -r.s[N - 1], r.s[N - 1]);
  r.s = r.s * divisor;
  return r;
}

}  // namespace firn
