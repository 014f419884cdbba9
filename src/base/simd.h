// Simd: W lanes of one scalar, so that model functions written for a scalar run on W particles at
// once. Comparisons give a mask; branches are written as select(mask, a, b).
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "base/macros.h"
#if defined(__ARM_NEON) && !defined(__CUDACC__)
#include <arm_neon.h>
#endif

namespace firn {

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;

// Packs wider than a register are pairs of halves: the compiler would take one big vector apart
// lane by lane in comparisons and selects, and pass it through memory. What a pack looks like
// depends on the machine that code is compiled for, and so does its name: where code for two
// machines is linked, one cannot pass for the other.
#if defined(__AVX512F__)
#define FIRN_REGISTER_BYTES 64
#define FIRN_LANES lanes_64
#elif defined(__AVX__)
#define FIRN_REGISTER_BYTES 32
#define FIRN_LANES lanes_32
#else
#define FIRN_REGISTER_BYTES 16
#define FIRN_LANES lanes_16
#endif
inline namespace FIRN_LANES {

template <class T, int W>
inline constexpr bool kPaired = W* static_cast<int>(sizeof(T)) > FIRN_REGISTER_BYTES;

template <class T, int W>
struct Mask {
  typedef BitsOf<T> V __attribute__((vector_size(W * sizeof(T))));
  V v;
  FIRN_HOST_INLINE friend Mask operator&(Mask a, Mask b) { return {a.v & b.v}; }
  FIRN_HOST_INLINE friend Mask operator|(Mask a, Mask b) { return {a.v | b.v}; }
  FIRN_HOST_INLINE friend Mask operator!(Mask a) { return {~a.v}; }
  FIRN_HOST_INLINE bool operator[](int i) const { return v[i] != 0; }
};

template <class T, int W>
struct Simd {
  typedef T V __attribute__((vector_size(W * sizeof(T))));
  using Scalar = T;
  static constexpr int kWidth = W;
  V v;

  Simd() = default;
  FIRN_HOST_INLINE Simd(V x) : v(x) {}
  // Less 0, which compilers leave out; 0 more they would add, since -0 becomes 0 by it.
  template <class U, class = std::enable_if_t<std::is_arithmetic_v<U>>>
  FIRN_HOST_INLINE Simd(U s) : v(static_cast<T>(s) - V{}) {}

  FIRN_HOST_INLINE T operator[](int i) const { return v[i]; }
  FIRN_HOST_INLINE void set(int i, T s) { v[i] = s; }

  FIRN_HOST_INLINE static Simd load(const T* p) {
    Simd r;
    __builtin_memcpy(&r.v, p, sizeof(V));
    return r;
  }
  FIRN_HOST_INLINE void store(T* p) const { __builtin_memcpy(p, &v, sizeof(V)); }
  // The first n lanes only; the others repeat the last one, so that every lane holds real data.
  FIRN_HOST_INLINE static Simd load(const T* p, int n) {
    if (n >= W) return load(p);
    Simd r;
    for (int i = 0; i < W; ++i) r.v[i] = p[i < n ? i : n - 1];
    return r;
  }
  FIRN_HOST_INLINE void store(T* p, int n) const {
    if (n >= W) return store(p);
    for (int i = 0; i < n; ++i) p[i] = v[i];
  }

  FIRN_HOST_INLINE friend Simd operator+(Simd a, Simd b) { return a.v + b.v; }
  FIRN_HOST_INLINE friend Simd operator-(Simd a, Simd b) { return a.v - b.v; }
  FIRN_HOST_INLINE friend Simd operator*(Simd a, Simd b) { return a.v * b.v; }
  FIRN_HOST_INLINE friend Simd operator/(Simd a, Simd b) { return a.v / b.v; }
  FIRN_HOST_INLINE friend Simd operator-(Simd a) { return -a.v; }
  FIRN_HOST_INLINE Simd& operator+=(Simd b) { return *this = *this + b; }
  FIRN_HOST_INLINE Simd& operator-=(Simd b) { return *this = *this - b; }
  FIRN_HOST_INLINE Simd& operator*=(Simd b) { return *this = *this * b; }
  FIRN_HOST_INLINE friend Mask<T, W> operator<(Simd a, Simd b) { return {a.v < b.v}; }
  FIRN_HOST_INLINE friend Mask<T, W> operator<=(Simd a, Simd b) { return {a.v <= b.v}; }
  FIRN_HOST_INLINE friend Mask<T, W> operator>(Simd a, Simd b) { return {a.v > b.v}; }
  FIRN_HOST_INLINE friend Mask<T, W> operator>=(Simd a, Simd b) { return {a.v >= b.v}; }
  FIRN_HOST_INLINE friend Mask<T, W> operator==(Simd a, Simd b) { return {a.v == b.v}; }
};

template <class T, int W>
requires kPaired<T, W>
struct Mask<T, W> {
  Mask<T, W / 2> lo, hi;
  FIRN_HOST_INLINE friend Mask operator&(Mask a, Mask b) { return {a.lo & b.lo, a.hi & b.hi}; }
  FIRN_HOST_INLINE friend Mask operator|(Mask a, Mask b) { return {a.lo | b.lo, a.hi | b.hi}; }
  FIRN_HOST_INLINE friend Mask operator!(Mask a) { return {!a.lo, !a.hi}; }
  FIRN_HOST_INLINE bool operator[](int i) const { return i < W / 2 ? lo[i] : hi[i - W / 2]; }
};

template <class T, int W>
requires kPaired<T, W>
struct Simd<T, W> {
  using Scalar = T;
  using Half = Simd<T, W / 2>;
  static constexpr int kWidth = W;
  Half lo, hi;

  Simd() = default;
  FIRN_HOST_INLINE Simd(Half l, Half h) : lo(l), hi(h) {}
  template <class U, class = std::enable_if_t<std::is_arithmetic_v<U>>>
  FIRN_HOST_INLINE Simd(U s) : lo(s), hi(s) {}

  FIRN_HOST_INLINE T operator[](int i) const { return i < W / 2 ? lo[i] : hi[i - W / 2]; }
  FIRN_HOST_INLINE void set(int i, T s) { i < W / 2 ? lo.set(i, s) : hi.set(i - W / 2, s); }

  FIRN_HOST_INLINE static Simd load(const T* p) { return {Half::load(p), Half::load(p + W / 2)}; }
  FIRN_HOST_INLINE void store(T* p) const {
    lo.store(p);
    hi.store(p + W / 2);
  }
  FIRN_HOST_INLINE static Simd load(const T* p, int n) {
    if (n >= W) return load(p);
    Simd r(0);
    for (int i = 0; i < W; ++i) r.set(i, p[i < n ? i : n - 1]);
    return r;
  }
  FIRN_HOST_INLINE void store(T* p, int n) const {
    if (n >= W) return store(p);
    for (int i = 0; i < n; ++i) p[i] = (*this)[i];
  }

  FIRN_HOST_INLINE friend Simd operator+(Simd a, Simd b) { return {a.lo + b.lo, a.hi + b.hi}; }
  FIRN_HOST_INLINE friend Simd operator-(Simd a, Simd b) { return {a.lo - b.lo, a.hi - b.hi}; }
  FIRN_HOST_INLINE friend Simd operator*(Simd a, Simd b) { return {a.lo * b.lo, a.hi * b.hi}; }
  FIRN_HOST_INLINE friend Simd operator/(Simd a, Simd b) { return {a.lo / b.lo, a.hi / b.hi}; }
  FIRN_HOST_INLINE friend Simd operator-(Simd a) { return {-a.lo, -a.hi}; }
  FIRN_HOST_INLINE Simd& operator+=(Simd b) { return *this = *this + b; }
  FIRN_HOST_INLINE Simd& operator-=(Simd b) { return *this = *this - b; }
  FIRN_HOST_INLINE Simd& operator*=(Simd b) { return *this = *this * b; }
  FIRN_HOST_INLINE friend Mask<T, W> operator<(Simd a, Simd b) {
    return {a.lo < b.lo, a.hi < b.hi};
  }
  FIRN_HOST_INLINE friend Mask<T, W> operator<=(Simd a, Simd b) {
    return {a.lo <= b.lo, a.hi <= b.hi};
  }
  FIRN_HOST_INLINE friend Mask<T, W> operator>(Simd a, Simd b) {
    return {a.lo > b.lo, a.hi > b.hi};
  }
  FIRN_HOST_INLINE friend Mask<T, W> operator>=(Simd a, Simd b) {
    return {a.lo >= b.lo, a.hi >= b.hi};
  }
  FIRN_HOST_INLINE friend Mask<T, W> operator==(Simd a, Simd b) {
    return {a.lo == b.lo, a.hi == b.hi};
  }
};

}  // namespace FIRN_LANES

template <class S>
struct ScalarTraits {
  using Scalar = S;
  static constexpr int kWidth = 1;
};
template <class T, int W>
struct ScalarTraits<Simd<T, W>> {
  using Scalar = T;
  static constexpr int kWidth = W;
};
template <class S>
using ScalarOf = typename ScalarTraits<S>::Scalar;

template <class T, int W>
FIRN_HOST_INLINE Simd<T, W> select(Mask<T, W> m, Simd<T, W> a, Simd<T, W> b) {
  if constexpr (kPaired<T, W>)
    return {select(m.lo, a.lo, b.lo), select(m.hi, a.hi, b.hi)};
  else
    return {m.v ? a.v : b.v};
}
FIRN_INLINE float select(bool m, float a, float b) {
  return m ? a : b;
}
FIRN_INLINE double select(bool m, double a, double b) {
  return m ? a : b;
}

template <class T, int W>
FIRN_HOST_INLINE bool any(Mask<T, W> m) {
  if constexpr (kPaired<T, W>) {
    return any(Mask<T, W / 2>{m.lo | m.hi});
  } else {
#if defined(__ARM_NEON) && !defined(__CUDACC__)
    if constexpr (sizeof(m.v) == 16) return vmaxvq_u32((uint32x4_t)m.v) != 0;
#endif
    BitsOf<T> r = 0;
    for (int i = 0; i < W; ++i) r |= m.v[i];
    return r != 0;
  }
}
FIRN_INLINE bool any(bool m) {
  return m;
}

// Number of set lanes among the first n.
template <class T, int W>
FIRN_HOST_INLINE int count(Mask<T, W> m, int n) {
  int r = 0;
  for (int i = 0; i < W; ++i) r += i < n && m[i];
  return r;
}
FIRN_INLINE int count(bool m, int) {
  return m;
}

template <class T, int W>
FIRN_HOST_INLINE T max_lane(Simd<T, W> a) {
  T r = a[0];
  for (int i = 1; i < W; ++i) r = a[i] > r ? a[i] : r;
  return r;
}
FIRN_INLINE float max_lane(float a) {
  return a;
}
FIRN_INLINE double max_lane(double a) {
  return a;
}

}  // namespace firn
