// Small fixed-size vectors over any scalar: float, double or a Simd of lanes.
#pragma once

#include "base/macros.h"

namespace firn {

template <class S, int N>
struct Vec {
  S e[N];

  FIRN_INLINE S& operator[](int i) { return e[i]; }
  FIRN_INLINE const S& operator[](int i) const { return e[i]; }

  FIRN_INLINE static Vec fill(S s) {
    Vec r;
    for (int i = 0; i < N; ++i) r.e[i] = s;
    return r;
  }
  FIRN_INLINE static Vec zero() { return fill(S(0)); }

  template <class U>
  FIRN_INLINE Vec<U, N> cast() const {
    Vec<U, N> r;
    for (int i = 0; i < N; ++i) r.e[i] = static_cast<U>(e[i]);
    return r;
  }
};

template <class S, int N>
FIRN_INLINE Vec<S, N> operator+(const Vec<S, N>& a, const Vec<S, N>& b) {
  Vec<S, N> r;
  for (int i = 0; i < N; ++i) r.e[i] = a.e[i] + b.e[i];
  return r;
}
template <class S, int N>
FIRN_INLINE Vec<S, N> operator-(const Vec<S, N>& a, const Vec<S, N>& b) {
  Vec<S, N> r;
  for (int i = 0; i < N; ++i) r.e[i] = a.e[i] - b.e[i];
  return r;
}
template <class S, int N>
FIRN_INLINE Vec<S, N> operator-(const Vec<S, N>& a) {
  Vec<S, N> r;
  for (int i = 0; i < N; ++i) r.e[i] = -a.e[i];
  return r;
}
template <class S, int N>
FIRN_INLINE Vec<S, N> operator*(const Vec<S, N>& a, S s) {
  Vec<S, N> r;
  for (int i = 0; i < N; ++i) r.e[i] = a.e[i] * s;
  return r;
}
template <class S, int N>
FIRN_INLINE Vec<S, N> operator*(S s, const Vec<S, N>& a) {
  return a * s;
}
template <class S, int N>
FIRN_INLINE Vec<S, N> operator/(const Vec<S, N>& a, S s) {
  return a * (S(1) / s);
}
template <class S, int N>
FIRN_INLINE Vec<S, N>& operator+=(Vec<S, N>& a, const Vec<S, N>& b) {
  return a = a + b;
}
template <class S, int N>
FIRN_INLINE Vec<S, N>& operator-=(Vec<S, N>& a, const Vec<S, N>& b) {
  return a = a - b;
}
template <class S, int N>
FIRN_INLINE Vec<S, N>& operator*=(Vec<S, N>& a, S s) {
  return a = a * s;
}
template <class S, int N>
FIRN_INLINE bool operator==(const Vec<S, N>& a, const Vec<S, N>& b) {
  for (int i = 0; i < N; ++i)
    if (!(a.e[i] == b.e[i])) return false;
  return true;
}
template <class S, int N>
FIRN_INLINE S dot(const Vec<S, N>& a, const Vec<S, N>& b) {
  S r = a.e[0] * b.e[0];
  for (int i = 1; i < N; ++i) r = r + a.e[i] * b.e[i];
  return r;
}
template <class S, int N>
FIRN_INLINE S sum(const Vec<S, N>& a) {
  S r = a.e[0];
  for (int i = 1; i < N; ++i) r = r + a.e[i];
  return r;
}
template <class S, int N>
FIRN_INLINE S product(const Vec<S, N>& a) {
  S r = a.e[0];
  for (int i = 1; i < N; ++i) r = r * a.e[i];
  return r;
}
template <class S>
FIRN_INLINE Vec<S, 3> cross(const Vec<S, 3>& a, const Vec<S, 3>& b) {
  return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
}

using Vec2d = Vec<double, 2>;
using Vec3d = Vec<double, 3>;
using Vec3f = Vec<float, 3>;

}  // namespace firn
