// Arithmetic with one lane of a pack as the factor: what turns weights held as lanes into
// multiplications by element, without a broadcast of its own.
#pragma once

#include <utility>

#include "base/math.h"

namespace firn {

// All lanes equal to lane L of w.
template <int L, class T>
FIRN_HOST_INLINE Pack<T, 4> broadcast_lane(Pack<T, 4> w) {
  return {__builtin_shufflevector(w.v, w.v, L, L, L, L)};
}
// x w[L]
template <int L, class T>
FIRN_HOST_INLINE Pack<T, 4> multiply_lane(Pack<T, 4> x, Pack<T, 4> w) {
#if defined(__ARM_NEON) && !defined(__CUDACC__)
  if constexpr (sizeof(T) == 4)
    return {(typename Pack<T, 4>::V)vmulq_laneq_f32((float32x4_t)x.v, (float32x4_t)w.v, L)};
#endif
  return x * broadcast_lane<L>(w);
}
// sum + x w[L]
template <int L, class T>
FIRN_HOST_INLINE Pack<T, 4> add_product_lane(Pack<T, 4> sum, Pack<T, 4> x, Pack<T, 4> w) {
#if defined(__ARM_NEON) && !defined(__CUDACC__)
  if constexpr (sizeof(T) == 4)
    return {(typename Pack<T, 4>::V)vfmaq_laneq_f32((float32x4_t)sum.v, (float32x4_t)x.v,
                                                    (float32x4_t)w.v, L)};
#endif
  return sum + x * broadcast_lane<L>(w);
}
// sum - x w[L]
template <int L, class T>
FIRN_HOST_INLINE Pack<T, 4> subtract_product_lane(Pack<T, 4> sum, Pack<T, 4> x, Pack<T, 4> w) {
#if defined(__ARM_NEON) && !defined(__CUDACC__)
  if constexpr (sizeof(T) == 4)
    return {(typename Pack<T, 4>::V)vfmsq_laneq_f32((float32x4_t)sum.v, (float32x4_t)x.v,
                                                    (float32x4_t)w.v, L)};
#endif
  return sum - x * broadcast_lane<L>(w);
}

template <class T, int W>
FIRN_HOST_INLINE Pack<T, W> floor_of(Pack<T, W> x) {
#if defined(__ARM_NEON) && !defined(__CUDACC__)
  if constexpr (sizeof(T) == 4 && W == 4)
    return {(typename Pack<T, W>::V)vrndmq_f32((float32x4_t)x.v)};
#endif
  Pack<T, W> r;
  for (int i = 0; i < W; ++i) r.set(i, std::floor(x[i]));
  return r;
}

// 1/sqrt(x) to a relative error of 3e-5.
template <class T, int W>
FIRN_HOST_INLINE Pack<T, W> rsqrt_estimate(Pack<T, W> x) {
  if constexpr (kPaired<T, W>) return {rsqrt_estimate(x.lo), rsqrt_estimate(x.hi)};
#if defined(__ARM_NEON) && !defined(__CUDACC__)
  if constexpr (sizeof(T) == 4 && W == 4) {
    const float32x4_t a = (float32x4_t)x.v, y = vrsqrteq_f32(a);
    return {(typename Pack<T, W>::V)vmulq_f32(y, vrsqrtsq_f32(vmulq_f32(a, y), y))};
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
#define FIRN_INLINE_LAMBDA __attribute__((always_inline))

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
