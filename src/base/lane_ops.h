// Arithmetic with one lane of a SIMD vector as the factor: what turns weights held as lanes into
// multiplications by element, without a broadcast of its own.
#pragma once

#include <utility>

#include "base/math.h"

namespace firn {

namespace detail {

// The half of a pair that has lane L.
template <int L, class T>
FIRN_HOST_INLINE Simd<T, 2> half_of_lane(Simd<T, 4> w) {
  if constexpr (L < 2)
    return w.lo;
  else
    return w.hi;
}

}  // namespace detail

// All lanes equal to lane L of w.
template <int L, class T>
FIRN_HOST_INLINE Simd<T, 4> broadcast_lane(Simd<T, 4> w) {
  if constexpr (kPaired<T, 4>) {
    const Simd<T, 2> half = detail::half_of_lane<L>(w);
    const Simd<T, 2> all(__builtin_shufflevector(half.v, half.v, L % 2, L % 2));
    return {all, all};
  } else {
    return {__builtin_shufflevector(w.v, w.v, L, L, L, L)};
  }
}

#if defined(__ARM_NEON) && !defined(__CUDACC__)
namespace detail {

// x w[L], sum + x w[L] and sum - x w[L] in one instruction for a register.
template <int L>
FIRN_HOST_INLINE Simd<float, 4> by_lane(Simd<float, 4> x, Simd<float, 4> w) {
  return {(Simd<float, 4>::V)vmulq_laneq_f32((float32x4_t)x.v, (float32x4_t)w.v, L)};
}
template <int L>
FIRN_HOST_INLINE Simd<double, 2> by_lane(Simd<double, 2> x, Simd<double, 2> w) {
  return {(Simd<double, 2>::V)vmulq_laneq_f64((float64x2_t)x.v, (float64x2_t)w.v, L)};
}
template <int L>
FIRN_HOST_INLINE Simd<float, 4> plus_by_lane(Simd<float, 4> sum, Simd<float, 4> x,
                                             Simd<float, 4> w) {
  return {(Simd<float, 4>::V)vfmaq_laneq_f32((float32x4_t)sum.v, (float32x4_t)x.v, (float32x4_t)w.v,
                                             L)};
}
template <int L>
FIRN_HOST_INLINE Simd<double, 2> plus_by_lane(Simd<double, 2> sum, Simd<double, 2> x,
                                              Simd<double, 2> w) {
  return {(Simd<double, 2>::V)vfmaq_laneq_f64((float64x2_t)sum.v, (float64x2_t)x.v,
                                              (float64x2_t)w.v, L)};
}
template <int L>
FIRN_HOST_INLINE Simd<float, 4> minus_by_lane(Simd<float, 4> sum, Simd<float, 4> x,
                                              Simd<float, 4> w) {
  return {(Simd<float, 4>::V)vfmsq_laneq_f32((float32x4_t)sum.v, (float32x4_t)x.v, (float32x4_t)w.v,
                                             L)};
}
template <int L>
FIRN_HOST_INLINE Simd<double, 2> minus_by_lane(Simd<double, 2> sum, Simd<double, 2> x,
                                               Simd<double, 2> w) {
  return {(Simd<double, 2>::V)vfmsq_laneq_f64((float64x2_t)sum.v, (float64x2_t)x.v,
                                              (float64x2_t)w.v, L)};
}

}  // namespace detail

template <int L, class T>
FIRN_HOST_INLINE Simd<T, 4> multiply_lane(Simd<T, 4> x, Simd<T, 4> w) {
  if constexpr (kPaired<T, 4>) {
    const Simd<T, 2> half = detail::half_of_lane<L>(w);
    return {detail::by_lane<L % 2>(x.lo, half), detail::by_lane<L % 2>(x.hi, half)};
  } else {
    return detail::by_lane<L>(x, w);
  }
}
template <int L, class T>
FIRN_HOST_INLINE Simd<T, 4> add_product_lane(Simd<T, 4> sum, Simd<T, 4> x, Simd<T, 4> w) {
  if constexpr (kPaired<T, 4>) {
    const Simd<T, 2> half = detail::half_of_lane<L>(w);
    return {detail::plus_by_lane<L % 2>(sum.lo, x.lo, half),
            detail::plus_by_lane<L % 2>(sum.hi, x.hi, half)};
  } else {
    return detail::plus_by_lane<L>(sum, x, w);
  }
}
template <int L, class T>
FIRN_HOST_INLINE Simd<T, 4> subtract_product_lane(Simd<T, 4> sum, Simd<T, 4> x, Simd<T, 4> w) {
  if constexpr (kPaired<T, 4>) {
    const Simd<T, 2> half = detail::half_of_lane<L>(w);
    return {detail::minus_by_lane<L % 2>(sum.lo, x.lo, half),
            detail::minus_by_lane<L % 2>(sum.hi, x.hi, half)};
  } else {
    return detail::minus_by_lane<L>(sum, x, w);
  }
}
#else
// x w[L], sum + x w[L] and sum - x w[L]
template <int L, class T>
FIRN_HOST_INLINE Simd<T, 4> multiply_lane(Simd<T, 4> x, Simd<T, 4> w) {
  return x * broadcast_lane<L>(w);
}
template <int L, class T>
FIRN_HOST_INLINE Simd<T, 4> add_product_lane(Simd<T, 4> sum, Simd<T, 4> x, Simd<T, 4> w) {
  return sum + x * broadcast_lane<L>(w);
}
template <int L, class T>
FIRN_HOST_INLINE Simd<T, 4> subtract_product_lane(Simd<T, 4> sum, Simd<T, 4> x, Simd<T, 4> w) {
  return sum - x * broadcast_lane<L>(w);
}
#endif

template <class T, int W>
FIRN_HOST_INLINE Simd<T, W> floor_of(Simd<T, W> x) {
  if constexpr (kPaired<T, W>) {
    return {floor_of(x.lo), floor_of(x.hi)};
  } else {
#if defined(__ARM_NEON) && !defined(__CUDACC__)
    if constexpr (sizeof(T) == 4 && W == 4)
      return {(typename Simd<T, W>::V)vrndmq_f32((float32x4_t)x.v)};
    if constexpr (sizeof(T) == 8 && W == 2)
      return {(typename Simd<T, W>::V)vrndmq_f64((float64x2_t)x.v)};
#endif
    Simd<T, W> r(0);
    for (int i = 0; i < W; ++i) r.set(i, std::floor(x[i]));
    return r;
  }
}

// The integers that the lanes hold.
template <class T, int W>
FIRN_HOST_INLINE void store_integers(Simd<T, W> x, BitsOf<T>* to) {
  if constexpr (kPaired<T, W>) {
    store_integers(x.lo, to);
    store_integers(x.hi, to + W / 2);
  } else {
    typedef BitsOf<T> I __attribute__((vector_size(W * sizeof(T))));
    const I integers = __builtin_convertvector(x.v, I);
    __builtin_memcpy(to, &integers, sizeof(integers));
  }
}

// 1/sqrt(x) to a relative error of 3e-5.
template <class T, int W>
FIRN_HOST_INLINE Simd<T, W> rsqrt_estimate(Simd<T, W> x) {
  if constexpr (kPaired<T, W>) return {rsqrt_estimate(x.lo), rsqrt_estimate(x.hi)};
#if defined(__ARM_NEON) && !defined(__CUDACC__)
  if constexpr (sizeof(T) == 4 && W == 4) {
    const float32x4_t a = (float32x4_t)x.v, y = vrsqrteq_f32(a);
    return {(typename Simd<T, W>::V)vmulq_f32(y, vrsqrtsq_f32(vmulq_f32(a, y), y))};
  }
#endif
  return rsqrt_of(x);
}

// For functions whose operations are best left in the order of the source: GCC moves loads far
// ahead of their use, which out-of-order processors do by themselves, and runs out of registers.
#if defined(__GNUC__) && !defined(__clang__)
#define FIRN_KEEP_ORDER __attribute__((optimize("no-schedule-insns")))
#else
#define FIRN_KEEP_ORDER
#endif

// For lambdas in hot loops: GCC gives up inlining large ones by itself.
#define FIRN_INLINE_LAMBDA FIRN_ALWAYS_INLINE

// f(0), f(1), ..., f(N - 1), each with its number as a constant of the type.
template <class F, int... I>
FIRN_HOST_INLINE void unroll(F&& f, std::integer_sequence<int, I...>) {
  (f(std::integral_constant<int, I>{}), ...);
}
template <int N, class F>
FIRN_HOST_INLINE void unroll(F&& f) {
  unroll(f, std::make_integer_sequence<int, N>{});
}

}  // namespace firn
