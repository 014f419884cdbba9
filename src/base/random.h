// Random numbers without state: a value is a hash of (seed, stream, index), so that any thread may
// ask for any number in any order and every machine gives the same bits.
#pragma once

#include <cstdint>

#include "base/macros.h"

namespace firn {

// The finaliser of splitmix64: a bijection of 64 bits in which every input bit moves every output
// bit with probability one half.
FIRN_INLINE std::uint64_t mix_bits(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// The index-th 64 bits of a stream. Streams of one seed (an object, a purpose) are independent.
FIRN_INLINE std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream,
                                      std::uint64_t index) {
  return mix_bits(mix_bits(mix_bits(seed) ^ stream) ^ index);
}

// Uniform in [0, 1): the top 53 (24) bits, exactly representable.
FIRN_INLINE double unit_double(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}
FIRN_INLINE float unit_float(std::uint64_t bits) {
  return static_cast<float>(bits >> 40) * 0x1p-24f;
}

// A stream read in order: next() is random_bits with a running index.
class RandomStream {
 public:
  FIRN_INLINE RandomStream(std::uint64_t seed, std::uint64_t stream)
      : key_(mix_bits(mix_bits(seed) ^ stream)) {}

  FIRN_INLINE std::uint64_t next() { return mix_bits(key_ ^ index_++); }
  FIRN_INLINE double next_double() { return unit_double(next()); }
  FIRN_INLINE float next_float() { return unit_float(next()); }
  // Uniform in [0, n), n > 0. The bias of n / 2^32 is far below what any count here can show.
  FIRN_INLINE std::uint32_t next_below(std::uint32_t n) {
    return static_cast<std::uint32_t>(((next() >> 32) * n) >> 32);
  }

 private:
  std::uint64_t key_;
  std::uint64_t index_ = 0;
};

}  // namespace firn
