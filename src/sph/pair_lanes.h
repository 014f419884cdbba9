// Several neighbours of a particle at once, each a lane: four, or sixteen where registers are that
// wide.
#pragma once

#include <cstdint>

#include "base/transpose.h"
#include "base/wide_lanes.h"
#include "sph/four.h"

namespace firn {

#ifdef __AVX512F__
template <class T>
inline constexpr int kPairLanes = sizeof(T) == 4 ? 16 : 4;
#else
template <class T>
inline constexpr int kPairLanes = 4;
#endif

// The numbers of particles, each a lane; `stride` Fours belong to a particle.
template <class T>
FIRN_HOST_INLINE void load_lanes(const Four<T>* from, const std::uint32_t* number, int stride,
                                 Simd<T, 4> (&to)[4]) {
  for (int k = 0; k < 4; ++k) to[k] = Simd<T, 4>::load(from[std::size_t(number[k]) * stride].e);
  transpose_lanes(to[0], to[1], to[2], to[3]);
}
template <class T>
FIRN_HOST_INLINE T sum_of_lanes(const Simd<T, 4>& x) {
  return (x[0] + x[1]) + (x[2] + x[3]);
}

#ifdef __AVX512F__
FIRN_HOST_INLINE void load_lanes(const Four<float>* from, const std::uint32_t* number, int stride,
                                 Simd<float, 16> (&to)[4]) {
  const auto row = [&](int k) { return _mm_load_ps(from[std::size_t(number[k]) * stride].e); };
  for (int k = 0; k < 4; ++k) {
    __m512 rows = _mm512_maskz_broadcast_f32x4(0x000f, row(k));
    rows = _mm512_mask_broadcast_f32x4(rows, 0x00f0, row(k + 4));
    rows = _mm512_mask_broadcast_f32x4(rows, 0x0f00, row(k + 8));
    rows = _mm512_mask_broadcast_f32x4(rows, 0xf000, row(k + 12));
    to[k] = (typename Simd<float, 16>::V)rows;
  }
  transpose_fours(to[0], to[1], to[2], to[3]);
}
FIRN_HOST_INLINE float sum_of_lanes(const Simd<float, 16>& x) {
  const auto half = __builtin_shufflevector(x.v, x.v, 0, 1, 2, 3, 4, 5, 6, 7) +
                    __builtin_shufflevector(x.v, x.v, 8, 9, 10, 11, 12, 13, 14, 15);
  return sum_of_lanes(Simd<float, 4>(__builtin_shufflevector(half, half, 0, 1, 2, 3) +
                                     __builtin_shufflevector(half, half, 4, 5, 6, 7)));
}
#endif

// One number for each of up to 32 cases, looked up by lanes.
template <class T>
struct LaneTable {
  alignas(64) T value[32];

  FIRN_HOST_INLINE Simd<T, 4> of(const std::uint32_t* which, Simd<T, 4>) const {
    Simd<T, 4> r;
    for (int k = 0; k < 4; ++k) r.set(k, value[which[k]]);
    return r;
  }
#ifdef __AVX512F__
  FIRN_HOST_INLINE Simd<T, 16> of(const std::uint32_t* which, Simd<T, 16>) const {
    return (typename Simd<T, 16>::V)_mm512_permutex2var_ps(
        _mm512_load_ps(value), _mm512_load_si512(which), _mm512_load_ps(value + 16));
  }
#endif
};

}  // namespace firn
