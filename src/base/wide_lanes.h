// Registers of sixteen lanes as four rows of four: what nodes, of four numbers each, need where
// several of them fit into one (mpm/line_windows.h). Only where such registers exist.
#pragma once

#include "base/lane_ops.h"
#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace firn {

template <class T>
using Wide = Simd<T, 16>;

template <class T>
FIRN_HOST_INLINE Wide<T> spread(T s) {
  return typename Wide<T>::V{s, s, s, s, s, s, s, s, s, s, s, s, s, s, s, s};
}
// Four numbers, four times: GCC 12 takes a shuffle of generic vectors through memory.
template <class T>
FIRN_HOST_INLINE Wide<T> repeat(const T* p) {
#ifdef __AVX512F__
  if constexpr (sizeof(T) == 4)
    return (typename Wide<T>::V)_mm512_maskz_broadcast_f32x4(0xffff, _mm_load_ps(p));
#endif
  return typename Wide<T>::V{p[0], p[1], p[2], p[3], p[0], p[1], p[2], p[3],
                             p[0], p[1], p[2], p[3], p[0], p[1], p[2], p[3]};
}
// Each of four numbers four times.
template <class T>
FIRN_HOST_INLINE Wide<T> each_repeated(const T* p) {
  const Wide<T> x = repeat(p);
  return Wide<T>(
      __builtin_shufflevector(x.v, x.v, 0, 0, 0, 0, 5, 5, 5, 5, 10, 10, 10, 10, 15, 15, 15, 15));
}
// Of four rows of four nodes the sums over the nodes, one after the other.
template <class T>
FIRN_HOST_INLINE Wide<T> sums_of_nodes(Wide<T> a, Wide<T> b, Wide<T> c, Wide<T> d) {
  const auto halves = [](Wide<T> x, Wide<T> y) FIRN_INLINE_LAMBDA {
    return Wide<T>(__builtin_shufflevector(x.v, y.v, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21,
                                           22, 23)) +
           Wide<T>(__builtin_shufflevector(x.v, y.v, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27,
                                           28, 29, 30, 31));
  };
  const Wide<T> ab = halves(a, b), cd = halves(c, d);
  return Wide<T>(__builtin_shufflevector(ab.v, cd.v, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24,
                                         25, 26, 27)) +
         Wide<T>(__builtin_shufflevector(ab.v, cd.v, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28,
                                         29, 30, 31));
}
// Lane j of row i goes to lane i of row j, in each four lanes.
template <class T>
FIRN_HOST_INLINE void transpose_fours(Wide<T>& a, Wide<T>& b, Wide<T>& c, Wide<T>& d) {
  const auto low = [](Wide<T> x, Wide<T> y) FIRN_INLINE_LAMBDA {
    return Wide<T>(__builtin_shufflevector(x.v, y.v, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12,
                                           28, 13, 29));
  };
  const auto high = [](Wide<T> x, Wide<T> y) FIRN_INLINE_LAMBDA {
    return Wide<T>(__builtin_shufflevector(x.v, y.v, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14,
                                           30, 15, 31));
  };
  const Wide<T> ac0 = low(a, c), bd0 = low(b, d), ac1 = high(a, c), bd1 = high(b, d);
  a = low(ac0, bd0);
  b = high(ac0, bd0);
  c = low(ac1, bd1);
  d = high(ac1, bd1);
}

// The rows, each to a place of its own.
template <class T>
FIRN_HOST_INLINE void store_fours(Wide<T> x, T* to, int stride) {
  T of[16];
  x.store(of);
  for (int k = 0; k < 4; ++k) __builtin_memcpy(to + k * stride, of + 4 * k, 4 * sizeof(T));
}

}  // namespace firn
