// Two floats of less than 1 in the room of one, eleven digits each: for what is read often and need
// not be exact. Below 2^-31 there is nothing smaller.
#pragma once

#include <bit>
#include <cstdint>

#include "base/simd.h"

namespace firn {

template <int W>
struct HalfPairs {
  typedef std::int32_t Bits __attribute__((vector_size(W * 4)));
  using S = Simd<float, W>;

  static FIRN_HOST_INLINE Bits magnitude(const S& x) { return std::bit_cast<Bits>(x) & kMagnitude; }
  static FIRN_HOST_INLINE Bits larger(Bits a, Bits b) { return a > b ? a : b; }

  static FIRN_HOST_INLINE S packed(const S& high, const S& low) {
    return std::bit_cast<S>(Bits(half_of(high) | (half_of(low) >> 16 & kLow)));
  }
  static FIRN_HOST_INLINE S high(const S& pair) { return whole_of(std::bit_cast<Bits>(pair)); }
  static FIRN_HOST_INLINE S low(const S& pair) { return whole_of(std::bit_cast<Bits>(pair) << 16); }

 private:
  static constexpr std::int32_t kMagnitude = 0x7fffffff, kSign = ~kMagnitude, kLow = 0xffff;
  // The exponents of [2^-31, 1) begin with the same three digits, which are left out.
  static constexpr std::int32_t kLeast = 0x30000000, kKept = 0x0fffe000, kHalfUnit = 0x1000;
  static constexpr int kLeftOut = 3;

  static FIRN_HOST_INLINE Bits half_of(const S& x) {
    const Bits rounded = larger(magnitude(x) + kHalfUnit, Bits{} + kLeast);
    return (std::bit_cast<Bits>(x) & kSign) | (rounded & kKept) << kLeftOut;
  }
  static FIRN_HOST_INLINE S whole_of(Bits half) {
    return std::bit_cast<S>(Bits((half & kSign) | (half >> kLeftOut & kKept) | kLeast));
  }
};

}  // namespace firn
