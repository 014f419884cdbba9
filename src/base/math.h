// Elementary functions on float, double and SIMD vectors. exp and log are our own: glibc has no
// vector version on every CPU, and one text must serve host and device.
#pragma once

#include <cmath>
#include <cstring>

#include "base/simd.h"

namespace firn {

constexpr double kPi = 3.14159265358979323846;
constexpr double kDegree = kPi / 180.0;

// Where a is not a number the result is b.
template <class S>
FIRN_INLINE S min_of(S a, S b) {
  return select(a < b, a, b);
}
template <class S>
FIRN_INLINE S max_of(S a, S b) {
  return select(a > b, a, b);
}
#if defined(__ARM_NEON) && !defined(__CUDACC__)
// One instruction instead of a comparison and a select.
FIRN_HOST_INLINE Simd<float, 4> min_of(Simd<float, 4> a, Simd<float, 4> b) {
  return {(Simd<float, 4>::V)vminnmq_f32((float32x4_t)a.v, (float32x4_t)b.v)};
}
FIRN_HOST_INLINE Simd<float, 4> max_of(Simd<float, 4> a, Simd<float, 4> b) {
  return {(Simd<float, 4>::V)vmaxnmq_f32((float32x4_t)a.v, (float32x4_t)b.v)};
}
FIRN_HOST_INLINE Simd<float, 8> min_of(Simd<float, 8> a, Simd<float, 8> b) {
  return {min_of(a.lo, b.lo), min_of(a.hi, b.hi)};
}
FIRN_HOST_INLINE Simd<float, 8> max_of(Simd<float, 8> a, Simd<float, 8> b) {
  return {max_of(a.lo, b.lo), max_of(a.hi, b.hi)};
}
FIRN_HOST_INLINE Simd<double, 2> min_of(Simd<double, 2> a, Simd<double, 2> b) {
  return {(Simd<double, 2>::V)vminnmq_f64((float64x2_t)a.v, (float64x2_t)b.v)};
}
FIRN_HOST_INLINE Simd<double, 2> max_of(Simd<double, 2> a, Simd<double, 2> b) {
  return {(Simd<double, 2>::V)vmaxnmq_f64((float64x2_t)a.v, (float64x2_t)b.v)};
}
template <int W>
FIRN_HOST_INLINE Simd<double, W> min_of(Simd<double, W> a, Simd<double, W> b) {
  return {min_of(a.lo, b.lo), min_of(a.hi, b.hi)};
}
template <int W>
FIRN_HOST_INLINE Simd<double, W> max_of(Simd<double, W> a, Simd<double, W> b) {
  return {max_of(a.lo, b.lo), max_of(a.hi, b.hi)};
}
#endif
template <class S>
FIRN_INLINE S clamp(S x, S lo, S hi) {
  return min_of(max_of(x, lo), hi);
}
template <class S>
FIRN_INLINE S square(S x) {
  return x * x;
}

FIRN_INLINE float abs_of(float x) {
  return fabsf(x);
}
FIRN_INLINE double abs_of(double x) {
  return fabs(x);
}
template <class T, int W>
FIRN_HOST_INLINE Simd<T, W> abs_of(Simd<T, W> x) {
  return max_of(x, -x);
}

FIRN_INLINE float sqrt_of(float x) {
  return sqrtf(x);
}
FIRN_INLINE double sqrt_of(double x) {
  return sqrt(x);
}
template <class T, int W>
FIRN_HOST_INLINE Simd<T, W> sqrt_of(Simd<T, W> x) {
  if constexpr (kPaired<T, W>) {
    return {sqrt_of(x.lo), sqrt_of(x.hi)};
  } else {
#if defined(__ARM_NEON) && !defined(__CUDACC__)
    if constexpr (std::is_same_v<T, float> && W == 4)
      return {(typename Simd<T, W>::V)vsqrtq_f32((float32x4_t)x.v)};
    if constexpr (std::is_same_v<T, double> && W == 2)
      return {(typename Simd<T, W>::V)vsqrtq_f64((float64x2_t)x.v)};
#endif
    Simd<T, W> r;
    for (int i = 0; i < W; ++i) r.v[i] = sqrt_of(T(x.v[i]));
    return r;
  }
}

// 1/sqrt(x) for x > 0. Square root and division take about as long together as the estimate
// instructions with their Newton steps, wait for fewer results, and are more exact.
FIRN_INLINE float rsqrt_of(float x) {
  return 1.0f / sqrtf(x);
}
FIRN_INLINE double rsqrt_of(double x) {
  return 1.0 / sqrt(x);
}
template <class T, int W>
FIRN_HOST_INLINE Simd<T, W> rsqrt_of(Simd<T, W> x) {
  return Simd<T, W>(1) / sqrt_of(x);
}

namespace detail {

// 2^n for integral-valued n, and the split x = m 2^n with m in [sqrt(1/2), sqrt(2)).
FIRN_INLINE float exponent_shift(float n) {
  const std::int32_t bits = (static_cast<std::int32_t>(n) + 127) << 23;
  float r;
  memcpy(&r, &bits, 4);
  return r;
}
template <int W>
FIRN_HOST_INLINE Simd<float, W> exponent_shift(Simd<float, W> n) {
  if constexpr (kPaired<float, W>) {
    return {exponent_shift(n.lo), exponent_shift(n.hi)};
  } else {
    typedef std::int32_t I __attribute__((vector_size(W * 4)));
    I bits = (__builtin_convertvector(n.v, I) + 127) << 23;
    Simd<float, W> r;
    __builtin_memcpy(&r.v, &bits, sizeof(bits));
    return r;
  }
}
FIRN_INLINE float split_exponent(float x, float& m) {
  std::int32_t bits;
  memcpy(&bits, &x, 4);
  const std::int32_t n = (bits - 0x3f3504f3) >> 23;  // 0x3f3504f3 is sqrt(1/2)
  bits -= n << 23;
  memcpy(&m, &bits, 4);
  return static_cast<float>(n);
}
template <int W>
FIRN_HOST_INLINE Simd<float, W> split_exponent(Simd<float, W> x, Simd<float, W>& m) {
  if constexpr (kPaired<float, W>) {
    return {split_exponent(x.lo, m.lo), split_exponent(x.hi, m.hi)};
  } else {
    typedef std::int32_t I __attribute__((vector_size(W * 4)));
    I bits;
    __builtin_memcpy(&bits, &x.v, sizeof(bits));
    const I n = (bits - 0x3f3504f3) >> 23;
    bits -= n << 23;
    __builtin_memcpy(&m.v, &bits, sizeof(bits));
    return {__builtin_convertvector(n, typename Simd<float, W>::V)};
  }
}
FIRN_INLINE float round_of(float x) {
  return rintf(x);
}
template <int W>
FIRN_HOST_INLINE Simd<float, W> round_of(Simd<float, W> x) {
  const Simd<float, W> magic(12582912.0f);  // 1.5 * 2^23: adding it rounds to an integer
  return (x + magic) - magic;
}

template <class S>
FIRN_INLINE S exp_float(S x) {
  x = clamp(x, S(-87.0f), S(88.0f));
  const S n = round_of(x * S(1.44269504f));
  const S r = (x - n * S(0.693359375f)) - n * S(-2.12194440e-4f);
  S p = S(1.9875691500e-4f);
  p = p * r + S(1.3981999507e-3f);
  p = p * r + S(8.3334519073e-3f);
  p = p * r + S(4.1665795894e-2f);
  p = p * r + S(1.6666665459e-1f);
  p = p * r + S(5.0000001201e-1f);
  return (p * r * r + r + S(1.0f)) * exponent_shift(n);
}

template <class S>
FIRN_INLINE S log_float(S x) {
  x = max_of(x, S(1.17549435e-38f));
  S m;
  const S n = split_exponent(x, m);
  const S f = m - S(1.0f);
  S p = S(7.0376836292e-2f);
  p = p * f + S(-1.1514610310e-1f);
  p = p * f + S(1.1676998740e-1f);
  p = p * f + S(-1.2420140846e-1f);
  p = p * f + S(1.4249322787e-1f);
  p = p * f + S(-1.6668057665e-1f);
  p = p * f + S(2.0000714765e-1f);
  p = p * f + S(-2.4999993993e-1f);
  p = p * f + S(3.3333331174e-1f);
  const S f2 = f * f;
  const S y = p * f * f2 + n * S(-2.12194440e-4f) - S(0.5f) * f2;
  return f + y + n * S(0.693359375f);
}

}  // namespace detail

FIRN_INLINE float exp_of(float x) {
  return detail::exp_float(x);
}
FIRN_INLINE double exp_of(double x) {
  return exp(x);
}
template <int W>
FIRN_HOST_INLINE Simd<float, W> exp_of(Simd<float, W> x) {
  return detail::exp_float(x);
}
template <int W>
inline Simd<double, W> exp_of(Simd<double, W> x) {
  Simd<double, W> r(0);
  for (int i = 0; i < W; ++i) r.set(i, exp(x[i]));
  return r;
}

// Natural logarithm; arguments below the smallest normal number count as that number.
FIRN_INLINE float log_of(float x) {
  return detail::log_float(x);
}
FIRN_INLINE double log_of(double x) {
  return log(x > 2.3e-308 ? x : 2.3e-308);
}
template <int W>
FIRN_HOST_INLINE Simd<float, W> log_of(Simd<float, W> x) {
  return detail::log_float(x);
}
template <int W>
inline Simd<double, W> log_of(Simd<double, W> x) {
  Simd<double, W> r(0);
  for (int i = 0; i < W; ++i) r.set(i, log_of(double(x[i])));
  return r;
}

template <class S>
FIRN_INLINE S pow_of(S x, S y) {
  return exp_of(y * log_of(x));
}

// Sine for |x| <= pi/2 (friction angles): the odd Taylor polynomial of degree 15, exact to 1e-12.
template <class S>
FIRN_INLINE S sin_quadrant(S x) {
  const S x2 = x * x;
  S p = S(-1.0 / 1307674368000.0);
  p = p * x2 + S(1.0 / 6227020800.0);
  p = p * x2 + S(-1.0 / 39916800.0);
  p = p * x2 + S(1.0 / 362880.0);
  p = p * x2 + S(-1.0 / 5040.0);
  p = p * x2 + S(1.0 / 120.0);
  p = p * x2 + S(-1.0 / 6.0);
  return x + x * x2 * p;
}

}  // namespace firn
