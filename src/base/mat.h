// Small square matrices and symmetric matrices over any scalar. Row-major; our own inverse and
// transpose, since Eigen's call host functions from device code.
#pragma once

#include "base/vec.h"

namespace firn {

template <class S, int N>
struct Mat {
  S e[N][N];

  FIRN_INLINE S& operator()(int i, int j) { return e[i][j]; }
  FIRN_INLINE const S& operator()(int i, int j) const { return e[i][j]; }

  FIRN_INLINE static Mat zero() {
    Mat r;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) r.e[i][j] = S(0);
    return r;
  }
  FIRN_INLINE static Mat diagonal(const Vec<S, N>& d) {
    Mat r = zero();
    for (int i = 0; i < N; ++i) r.e[i][i] = d[i];
    return r;
  }
  FIRN_INLINE static Mat identity() { return diagonal(Vec<S, N>::fill(S(1))); }

  template <class U>
  FIRN_INLINE Mat<U, N> cast() const {
    Mat<U, N> r;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) r.e[i][j] = static_cast<U>(e[i][j]);
    return r;
  }
};

template <class S, int N>
FIRN_INLINE Mat<S, N> operator+(const Mat<S, N>& a, const Mat<S, N>& b) {
  Mat<S, N> r;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) r.e[i][j] = a.e[i][j] + b.e[i][j];
  return r;
}
template <class S, int N>
FIRN_INLINE Mat<S, N> operator-(const Mat<S, N>& a, const Mat<S, N>& b) {
  Mat<S, N> r;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) r.e[i][j] = a.e[i][j] - b.e[i][j];
  return r;
}
template <class S, int N>
FIRN_INLINE Mat<S, N> operator*(const Mat<S, N>& a, S s) {
  Mat<S, N> r;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) r.e[i][j] = a.e[i][j] * s;
  return r;
}
template <class S, int N>
FIRN_INLINE Mat<S, N> operator*(S s, const Mat<S, N>& a) {
  return a * s;
}
template <class S, int N>
FIRN_INLINE Mat<S, N> operator*(const Mat<S, N>& a, const Mat<S, N>& b) {
  Mat<S, N> r;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      S s = a.e[i][0] * b.e[0][j];
      for (int k = 1; k < N; ++k) s = s + a.e[i][k] * b.e[k][j];
      r.e[i][j] = s;
    }
  return r;
}
template <class S, int N>
FIRN_INLINE Vec<S, N> operator*(const Mat<S, N>& a, const Vec<S, N>& v) {
  Vec<S, N> r;
  for (int i = 0; i < N; ++i) {
    S s = a.e[i][0] * v[0];
    for (int k = 1; k < N; ++k) s = s + a.e[i][k] * v[k];
    r[i] = s;
  }
  return r;
}
template <class S, int N>
FIRN_INLINE Mat<S, N> transpose(const Mat<S, N>& a) {
  Mat<S, N> r;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) r.e[i][j] = a.e[j][i];
  return r;
}
template <class S, int N>
FIRN_INLINE Mat<S, N> outer(const Vec<S, N>& a, const Vec<S, N>& b) {
  Mat<S, N> r;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) r.e[i][j] = a[i] * b[j];
  return r;
}
template <class S, int N>
FIRN_INLINE S trace(const Mat<S, N>& a) {
  S r = a.e[0][0];
  for (int i = 1; i < N; ++i) r = r + a.e[i][i];
  return r;
}
// Sum of products of entries, a : b.
template <class S, int N>
FIRN_INLINE S contract(const Mat<S, N>& a, const Mat<S, N>& b) {
  S r = S(0);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) r = r + a.e[i][j] * b.e[i][j];
  return r;
}
template <class S>
FIRN_INLINE S determinant(const Mat<S, 2>& a) {
  return a.e[0][0] * a.e[1][1] - a.e[0][1] * a.e[1][0];
}
template <class S>
FIRN_INLINE S determinant(const Mat<S, 3>& a) {
  return a.e[0][0] * (a.e[1][1] * a.e[2][2] - a.e[1][2] * a.e[2][1]) -
         a.e[0][1] * (a.e[1][0] * a.e[2][2] - a.e[1][2] * a.e[2][0]) +
         a.e[0][2] * (a.e[1][0] * a.e[2][1] - a.e[1][1] * a.e[2][0]);
}
// Matrix of cofactors: det(A) A^-T, defined for singular A as well.
template <class S>
FIRN_INLINE Mat<S, 2> cofactors(const Mat<S, 2>& a) {
  return {{{a.e[1][1], -a.e[1][0]}, {-a.e[0][1], a.e[0][0]}}};
}
template <class S>
FIRN_INLINE Mat<S, 3> cofactors(const Mat<S, 3>& a) {
  Mat<S, 3> r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      r.e[i][j] = a.e[i1][j1] * a.e[i2][j2] - a.e[i1][j2] * a.e[i2][j1];
    }
  return r;
}
template <class S, int N>
FIRN_INLINE Mat<S, N> inverse(const Mat<S, N>& a) {
  return transpose(cofactors(a)) * (S(1) / determinant(a));
}

// Symmetric matrix: the N(N+1)/2 independent entries in the order xx, yy, (zz,) then yz, xz, xy in
// 3D (Voigt order) and xy in 2D.
template <class S, int N>
struct SymMat {
  static constexpr int kSize = N * (N + 1) / 2;
  S e[kSize];

  FIRN_INLINE static constexpr int index(int i, int j) {
    if (i == j) return i;
    if constexpr (N == 2)
      return 2;
    else
      return 6 - (i + j);
  }
  FIRN_INLINE S& operator()(int i, int j) { return e[index(i, j)]; }
  FIRN_INLINE const S& operator()(int i, int j) const { return e[index(i, j)]; }
  FIRN_INLINE static SymMat isotropic(S s) {
    SymMat r;
    for (int i = 0; i < kSize; ++i) r.e[i] = i < N ? s : S(0);
    return r;
  }
  FIRN_INLINE Mat<S, N> full() const {
    Mat<S, N> r;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) r.e[i][j] = e[index(i, j)];
    return r;
  }
};

template <class S, int N>
FIRN_INLINE S trace(const SymMat<S, N>& a) {
  S r = a.e[0];
  for (int i = 1; i < N; ++i) r = r + a.e[i];
  return r;
}
template <class S, int N>
FIRN_INLINE Mat<S, N> operator*(const SymMat<S, N>& a, const Mat<S, N>& b) {
  return a.full() * b;
}
// A A^T, the left Cauchy-Green tensor when A is a deformation gradient.
template <class S, int N>
FIRN_INLINE SymMat<S, N> times_own_transpose(const Mat<S, N>& a) {
  SymMat<S, N> r;
  for (int i = 0; i < N; ++i)
    for (int j = i; j < N; ++j) {
      S s = a.e[i][0] * a.e[j][0];
      for (int k = 1; k < N; ++k) s = s + a.e[i][k] * a.e[j][k];
      r(i, j) = s;
    }
  return r;
}
// U diag(d) U^T.
template <class S, int N>
FIRN_INLINE SymMat<S, N> from_spectrum(const Mat<S, N>& u, const Vec<S, N>& d) {
  SymMat<S, N> r;
  for (int i = 0; i < N; ++i)
    for (int j = i; j < N; ++j) {
      S s = u.e[i][0] * d[0] * u.e[j][0];
      for (int k = 1; k < N; ++k) s = s + u.e[i][k] * d[k] * u.e[j][k];
      r(i, j) = s;
    }
  return r;
}

}  // namespace firn
