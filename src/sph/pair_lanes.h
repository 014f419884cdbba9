// Several particles side by side, each a lane: four, or sixteen where registers are that wide.
#pragma once

#include <cstdint>

#include "base/lane_sum.h"
#include "base/transpose.h"
#include "base/wide_lanes.h"
#include "sph/sph_view.h"

namespace firn {

#ifdef __AVX512F__
template <class T>
inline constexpr int kPairLanes = sizeof(T) == 4 ? 16 : 4;
#else
template <class T>
inline constexpr int kPairLanes = 4;
#endif

// Room for n particles, the one that fills up lists, and a whole pack from any of them on.
template <class T>
constexpr std::size_t whole_packs(std::size_t n) {
  return (n / kPairLanes<T> + 2) * kPairLanes<T>;
}

// The numbers of particles, each a lane; `stride` Fours belong to a particle.
template <class T>
FIRN_HOST_INLINE void load_lanes(const Four<T>* from, const std::uint32_t* number, int stride,
                                 Simd<T, 4> (&to)[4]) {
  for (int k = 0; k < 4; ++k) to[k] = Simd<T, 4>::load(from[std::size_t(number[k]) * stride].e);
  transpose_lanes(to[0], to[1], to[2], to[3]);
}
// Those from number i on.
template <class T>
FIRN_HOST_INLINE void load_lanes(const Four<T>* from, std::size_t i, int stride,
                                 Simd<T, 4> (&to)[4]) {
  for (int k = 0; k < 4; ++k) to[k] = Simd<T, 4>::load(from[(i + k) * stride].e);
  transpose_lanes(to[0], to[1], to[2], to[3]);
}
template <class T>
FIRN_HOST_INLINE void store_lanes(Four<T>* to, std::size_t i, int stride,
                                  const Simd<T, 4> (&from)[4]) {
  Simd<T, 4> row[4] = {from[0], from[1], from[2], from[3]};
  transpose_lanes(row[0], row[1], row[2], row[3]);
  for (int k = 0; k < 4; ++k) row[k].store(to[(i + k) * stride].e);
}
template <class T>
FIRN_HOST_INLINE Simd<T, 4> gathered(const T* from, const std::uint32_t* number, Simd<T, 4>) {
  Simd<T, 4> r;
  for (int k = 0; k < 4; ++k) r.set(k, from[number[k]]);
  return r;
}
// 1/sqrt(x) as exact as its arithmetic.
template <class S>
FIRN_HOST_INLINE S inverse_root(S x) {
  return rsqrt_of(x);
}

#ifdef __AVX512F__
template <class Row>
FIRN_HOST_INLINE void load_sixteen(Row&& row, Simd<float, 16> (&to)[4]) {
  for (int k = 0; k < 4; ++k) {
    __m512 rows = _mm512_maskz_broadcast_f32x4(0x000f, _mm_load_ps(row(k)));
    rows = _mm512_mask_broadcast_f32x4(rows, 0x00f0, _mm_load_ps(row(k + 4)));
    rows = _mm512_mask_broadcast_f32x4(rows, 0x0f00, _mm_load_ps(row(k + 8)));
    rows = _mm512_mask_broadcast_f32x4(rows, 0xf000, _mm_load_ps(row(k + 12)));
    to[k] = (typename Simd<float, 16>::V)rows;
  }
  transpose_fours(to[0], to[1], to[2], to[3]);
}
FIRN_HOST_INLINE void load_lanes(const Four<float>* from, const std::uint32_t* number, int stride,
                                 Simd<float, 16> (&to)[4]) {
  // In units of eight bytes, what an address can be scaled by; in memory, from where loads take
  // them faster than from a register.
  alignas(64) std::uint32_t place[16];
  _mm512_store_si512(
      place, _mm512_maskz_slli_epi32(0xffff, _mm512_load_si512(number), stride == 1 ? 1 : 2));
  asm volatile("" : "+m"(place));
  const char* base = reinterpret_cast<const char*>(from);
  load_sixteen(
      [&](int k) FIRN_INLINE_LAMBDA {
        return reinterpret_cast<const float*>(base + std::size_t(place[k]) * 8);
      },
      to);
}
FIRN_HOST_INLINE void load_lanes(const Four<float>* from, std::size_t i, int stride,
                                 Simd<float, 16> (&to)[4]) {
  load_sixteen([&](int k) FIRN_INLINE_LAMBDA { return from[(i + k) * stride].e; }, to);
}
FIRN_HOST_INLINE void store_lanes(Four<float>* to, std::size_t i, int stride,
                                  const Simd<float, 16> (&from)[4]) {
  Simd<float, 16> row[4] = {from[0], from[1], from[2], from[3]};
  transpose_fours(row[0], row[1], row[2], row[3]);
  for (int k = 0; k < 4; ++k) store_fours(row[k], to[(i + k) * stride].e, 16 * stride);
}
FIRN_HOST_INLINE Simd<float, 16> gathered(const float* from, const std::uint32_t* number,
                                          Simd<float, 16>) {
  return (typename Simd<float, 16>::V)_mm512_mask_i32gather_ps(_mm512_setzero_ps(), 0xffff,
                                                               _mm512_load_si512(number), from, 4);
}
FIRN_HOST_INLINE Simd<float, 16> inverse_root(Simd<float, 16> x) {
  const __m512 a = (__m512)x.v, y = _mm512_maskz_rsqrt14_ps(0xffff, a);
  const __m512 half = _mm512_mul_ps(_mm512_mul_ps(a, y), _mm512_set1_ps(0.5f));
  const __m512 left = _mm512_fnmadd_ps(half, y, _mm512_set1_ps(0.5f));
  return (typename Simd<float, 16>::V)_mm512_fmadd_ps(y, left, y);
}
#endif

// Of `count` lanes those that a mask has, but for `self`, as first, first + 1...; how many they
// are. Writes a whole pack.
template <class T>
FIRN_HOST_INLINE int append_lanes(Mask<T, 4> mask, int count, std::uint32_t self,
                                  std::uint32_t first, std::uint32_t* to) {
  int used = 0;
  for (int k = 0; k < 4; ++k) {
    to[used] = first + k;
    used += k < count && mask[k] && std::uint32_t(k) != self;
  }
  return used;
}
#ifdef __AVX512F__
FIRN_HOST_INLINE int append_lanes(Mask<float, 16> mask, int count, std::uint32_t self,
                                  std::uint32_t first, std::uint32_t* to) {
  unsigned bits = _mm512_test_epi32_mask((__m512i)mask.v, (__m512i)mask.v);
  bits &= 0xffffu >> (16 - count);
  if (self < 16) bits &= ~(1u << self);
  const __m512i lanes = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(
                              bits, _mm512_add_epi32(_mm512_set1_epi32(int(first)), lanes)));
  return __builtin_popcount(bits);
}
#endif

// Lanes as lists keep them: in half the bytes where the machine has instructions for it, as whole
// numbers up to kMost (0: as they are). What is rounded by a share of the largest, not of itself,
// disturbs sand at rest a quarter as much. Rounding is the same on both sides of 0, so that what
// two particles keep of each other stays opposite.
template <class T>
struct KeptLanes {
  using S = Simd<T, kPairLanes<T>>;
  using Number = T;
  static constexpr double kMost = 0;
  FIRN_HOST_INLINE static S load(const Number* from) { return S::load(from); }
  FIRN_HOST_INLINE static void store(Number* to, S x) { x.store(to); }
};
#if defined(__AVX512F__)
template <>
struct KeptLanes<float> {
  using S = Simd<float, 16>;
  using Number = std::int16_t;
  static constexpr double kMost = 32767;
  FIRN_HOST_INLINE static S load(const Number* from) {
    const __m256i kept = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    return (S::V)_mm512_maskz_cvtepi32_ps(0xffff, _mm512_maskz_cvtepi16_epi32(0xffff, kept));
  }
  FIRN_HOST_INLINE static void store(Number* to, S x) {
    const __m512i whole = _mm512_maskz_cvtps_epi32(0xffff, (__m512)x.v);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                        _mm512_maskz_cvtsepi32_epi16(0xffff, whole));
  }
};
#elif defined(__ARM_NEON) && defined(__aarch64__)
template <>
struct KeptLanes<float> {
  using S = Simd<float, 4>;
  using Number = std::int16_t;
  static constexpr double kMost = 32767;
  FIRN_HOST_INLINE static S load(const Number* from) {
    return (S::V)vcvtq_f32_s32(vmovl_s16(vld1_s16(from)));
  }
  FIRN_HOST_INLINE static void store(Number* to, S x) {
    vst1_s16(to, vqmovn_s32(vcvtnq_s32_f32((float32x4_t)x.v)));
  }
};
#endif

// One number for each of up to 32 cases, looked up by lanes.
template <class T>
struct LaneTable {
  alignas(64) T value[32];

  FIRN_HOST_INLINE Simd<T, 4> of(const std::uint32_t* which, Simd<T, 4> like) const {
    return gathered(value, which, like);
  }
#ifdef __AVX512F__
  FIRN_HOST_INLINE Simd<T, 16> of(const std::uint32_t* which, Simd<T, 16>) const {
    return (typename Simd<T, 16>::V)_mm512_permutex2var_ps(
        _mm512_load_ps(value), _mm512_load_si512(which), _mm512_load_ps(value + 16));
  }
#endif
};

// What the functions of one particle (stress_particle.h and others) ask for, for the particles from
// number i on, each a lane. Behind the last one lanes hold what does no harm and is not counted.
template <class T>
class ParticleLanes {
 public:
  static constexpr int kWidth = kPairLanes<T>;
  using S = Simd<T, kWidth>;

  ParticleLanes(std::size_t count, bool one_law) : count_(count), one_law_(one_law) {}

  FIRN_HOST_INLINE S load(const T* from, std::size_t i) const { return S::load(from + i); }
  FIRN_HOST_INLINE void store(T* to, std::size_t i, S x) const { x.store(to + i); }
  FIRN_HOST_INLINE void load(const Four<T>* from, std::size_t i, int stride, S (&to)[4]) const {
    load_lanes(from, i, stride, to);
  }
  FIRN_HOST_INLINE void store(Four<T>* to, std::size_t i, int stride, const S (&from)[4]) const {
    store_lanes(to, i, stride, from);
  }
  // f(number, lane) of each.
  template <class F>
  FIRN_HOST_INLINE void each(std::size_t i, F&& f) const {
    const int n = static_cast<int>(min_of<double>(kWidth, double(count_ - i)));
    for (int lane = 0; lane < n; ++lane) f(i + lane, lane);
  }
  FIRN_HOST_INLINE double total(std::size_t i, S x) const {
    if (i + kWidth <= count_) return double(sum_of_lanes(x));
    double sum = 0;
    each(i, [&](std::size_t, int lane) { sum += double(x[lane]); });
    return sum;
  }
  FIRN_HOST_INLINE double most(std::size_t i, S x) const {
    double most = x[0];
    each(i, [&](std::size_t, int lane) { most = max_of(most, double(x[lane])); });
    return most;
  }
  template <int D>
  FIRN_HOST_INLINE YieldLaw<S> law(const SphView<T, D>& all, std::size_t i) const {
    const YieldLaw<T>& one = all.laws[0];
    YieldLaw<S> law{S(one.slope), S(one.cohesion), S(one.least_pressure)};
    if (!one_law_)
      each(i, [&](std::size_t particle, int lane) {
        const YieldLaw<T>& own = all.law(particle);
        law.slope.set(lane, own.slope);
        law.cohesion.set(lane, own.cohesion);
        law.least_pressure.set(lane, own.least_pressure);
      });
    return law;
  }
  // Of what each found among its neighbours: it is whole already.
  FIRN_HOST_INLINE S sum(S x) const { return x; }
  FIRN_HOST_INLINE static constexpr bool leads() { return true; }

 protected:
  std::size_t count_;
  bool one_law_;
};

template <class T, int W>
FIRN_HOST_INLINE void set_lane(Simd<T, W>& x, int lane, T value) {
  x.set(lane, value);
}
template <class T, int W>
FIRN_HOST_INLINE T lane_of(const Simd<T, W>& x, int lane) {
  return x[lane];
}

}  // namespace firn
