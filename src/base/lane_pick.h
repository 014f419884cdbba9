// Some lanes of a register, packed side by side.
#pragma once

#include <cstdint>

#include "base/simd.h"
#ifdef __AVX512F__
#include <immintrin.h>
#endif

namespace firn {

// The lanes that a mask has: their values, and first, first + 1... as their numbers. Returns how
// many they are; writes whole registers.
template <class T, int W>
FIRN_HOST_INLINE int pick_lanes(Mask<T, W> mask, Simd<T, W> x, T* values) {
  int used = 0;
  for (int l = 0; l < W; ++l) {
    values[used] = x[l];
    used += mask[l] ? 1 : 0;
  }
  return used;
}
template <class T, int W>
FIRN_HOST_INLINE int pick_numbers(Mask<T, W> mask, std::uint32_t first, std::uint32_t* numbers) {
  int used = 0;
  for (int l = 0; l < W; ++l) {
    numbers[used] = first + l;
    used += mask[l] ? 1 : 0;
  }
  return used;
}
#ifdef __AVX512F__
FIRN_HOST_INLINE int pick_lanes(Mask<float, 16> mask, Simd<float, 16> x, float* values) {
  const unsigned bits = _mm512_test_epi32_mask((__m512i)mask.v, (__m512i)mask.v);
  _mm512_storeu_ps(values, _mm512_maskz_compress_ps(bits, (__m512)x.v));
  return __builtin_popcount(bits);
}
FIRN_HOST_INLINE int pick_numbers(Mask<float, 16> mask, std::uint32_t first,
                                  std::uint32_t* numbers) {
  const unsigned bits = _mm512_test_epi32_mask((__m512i)mask.v, (__m512i)mask.v);
  const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  _mm512_storeu_si512(numbers, _mm512_maskz_compress_epi32(
                                   bits, _mm512_add_epi32(_mm512_set1_epi32(int(first)), lanes)));
  return __builtin_popcount(bits);
}
#endif

}  // namespace firn
