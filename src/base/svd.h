// Singular value decomposition F = U diag(s) V^T with rotations U and V, without branches, for SIMD
// vectors of particles too.
//
// Rotations from the right make the columns of F orthogonal (one-sided Jacobi; V is their product),
// and Givens rotations from the left make what results triangular: U is theirs, the diagonal holds
// s, and the rest is round-off. F^T F is never formed as a matrix, so that small values keep their
// digits, and U is a rotation whatever the rank of F.
#pragma once

#include "base/estimates.h"
#include "base/mat.h"
#include "base/math.h"

namespace firn {

template <class S, int N>
struct Svd {
  Mat<S, N> U, V;  // rotations
  Vec<S, N> s;     // |s| descending; the last has the sign of det F, the others are not negative
};

namespace detail {

template <class T>
inline constexpr T kSmallestDivisor = sizeof(T) == 4 ? T(1e-37) : T(1e-306);

// A number that makes the size about 1, so that no square overflows, and its inverse: a power of
// two where it is cheap, which rounds nothing.
template <class S>
FIRN_INLINE void find_scale(S size, S& scale, S& scale_back) {
  using T = ScalarOf<S>;
  const S some = select(size < S(kSmallestDivisor<T>), S(1), size);
  if constexpr (sizeof(T) == 4) {
    S between;
    const S power = clamp(split_exponent(some, between), S(-125), S(125));
    scale = exponent_shift(-power);
    scale_back = exponent_shift(power);
  } else {
    scale = S(1) / some;
    scale_back = some;
  }
}

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
// 1 / (ratio +- sqrt(1 + ratio^2)). What of it is rough is left to the next sweep; that cosine and
// sine are those of an angle must be exact. Columns as long as each other and orthogonal but for
// rounding stay: rounding alone would turn them by any angle.
template <class Estimates, class S, int N>
FIRN_INLINE void make_orthogonal(Mat<S, N>& B, Mat<S, N>& V, int p, int q) {
  using T = ScalarOf<S>;
  constexpr T kRoundOff = sizeof(T) == 4 ? T(6e-8) : T(1.1e-16);
  constexpr T kMost = sizeof(T) == 4 ? T(1e15) : T(1e150);  // whose square does not overflow
  const S product = column_product(B, p, q), pp = column_product(B, p, p),
          qq = column_product(B, q, q);
  const auto done =
      abs_of(product) <= max_of(S(kRoundOff) * min_of(pp, qq), S(kSmallestDivisor<T>));
  const S half = S(T(0.5)) * (qq - pp);
  const S ratio =
      clamp(half * Estimates::inverse(select(done, S(1), product)), S(-kMost), S(kMost));
  const S length2 = S(1) + ratio * ratio, length = length2 * Estimates::rsqrt(length2);
  const S tangent =
      select(done, S(0), Estimates::inverse(select(ratio < S(0), ratio - length, ratio + length)));
  const S c = Estimates::fine_rsqrt(S(1) + tangent * tangent), s = c * tangent;
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
template <class Estimates, class S, int N>
FIRN_INLINE void make_triangular(Mat<S, N>& R, Mat<S, N>& U, int p, int q) {
  using T = ScalarOf<S>;
  const S size = max_of(abs_of(R(p, p)), abs_of(R(q, p)));
  const auto zero = size < S(kSmallestDivisor<T>);
  const S scale = Estimates::inverse(select(zero, S(1), size));
  const S x = select(zero, S(1), R(p, p) * scale), y = select(zero, S(0), R(q, p) * scale);
  const S inverse = Estimates::fine_rsqrt(x * x + y * y), c = x * inverse, s = y * inverse;
  for (int k = p; k < N; ++k) {
    const S rpk = R(p, k), rqk = R(q, k);
    R(p, k) = c * rpk + s * rqk;
    R(q, k) = c * rqk - s * rpk;
  }
  turn_columns(U, p, q, c, -s);
}

}  // namespace detail

// The convergence is quadratic, and one sweep is enough in 2D but for rounding.
template <class Estimates = UsualEstimates, class S, int N>
FIRN_HD inline Svd<S, N> svd(const Mat<S, N>& F) {
  using T = ScalarOf<S>;
  constexpr int kSweeps = N == 2 ? 2 : sizeof(T) == 4 ? 4 : 5;
  S size = S(0);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) size = max_of(size, abs_of(F(i, j)));
  S scale, scale_back;
  detail::find_scale(size, scale, scale_back);
  Mat<S, N> B = F * scale;

  Svd<S, N> r;
  r.U = r.V = Mat<S, N>::identity();
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    for (int p = 0; p < N; ++p)
      for (int q = p + 1; q < N; ++q) detail::make_orthogonal<Estimates>(B, r.V, p, q);
  for (int pass = 1; pass < N; ++pass)
    for (int p = 0; p + pass < N; ++p) detail::put_longer_first(B, r.V, p, p + 1);
  for (int p = 0; p < N; ++p)
    for (int q = p + 1; q < N; ++q) detail::make_triangular<Estimates>(B, r.U, p, q);

  // Values that are equal but for rounding come out in any order.
  r.s[0] = B(0, 0);
  for (int i = 1; i < N; ++i) r.s[i] = min_of(abs_of(B(i, i)), r.s[i - 1]);
  r.s[N - 1] = select(B(N - 1, N - 1) < S(0), -r.s[N - 1], r.s[N - 1]);
  r.s = r.s * scale_back;
  return r;
}

// Of two packs at once. Each rotation waits for the one before it; two of them fill the time.
template <class Estimates = UsualEstimates, class S, int N>
inline void svd_of_two(const Mat<S, N>& F, const Mat<S, N>& G, Svd<S, N>& of_F, Svd<S, N>& of_G) {
  using T = ScalarOf<S>;
  constexpr int W = ScalarTraits<S>::kWidth;
  if constexpr (W > 1 && !kPaired<T, W> && kPaired<T, 2 * W>) {
    Mat<Simd<T, 2 * W>, N> both;
    for (int k = 0; k < N * N; ++k) both(k / N, k % N) = {F(k / N, k % N), G(k / N, k % N)};
    const Svd<Simd<T, 2 * W>, N> r = svd<Estimates>(both);
    for (int i = 0; i < N; ++i) {
      of_F.s[i] = r.s[i].lo;
      of_G.s[i] = r.s[i].hi;
      for (int j = 0; j < N; ++j) {
        of_F.U(i, j) = r.U(i, j).lo;
        of_G.U(i, j) = r.U(i, j).hi;
        of_F.V(i, j) = r.V(i, j).lo;
        of_G.V(i, j) = r.V(i, j).hi;
      }
    }
  } else {
    of_F = svd<Estimates>(F);
    of_G = svd<Estimates>(G);
  }
}

}  // namespace firn
