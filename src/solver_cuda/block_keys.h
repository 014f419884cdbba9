// The hash table from places of blocks to their numbers, on the device.
#pragma once

#include "particles/blocks.h"

namespace firn {

constexpr unsigned long long kNoKey = ~0ull;

template <int D>
__device__ inline unsigned long long device_key(const BlockCoord<D>& c) {
  constexpr int kBits = D == 3 ? 21 : 31;
  unsigned long long key = 0;
  for (int a = 0; a < D; ++a)
    key = key << kBits | static_cast<unsigned long long>(c[a] + (1 << (kBits - 1)));
  return key;
}
__device__ inline unsigned first_place(unsigned long long key, unsigned mask) {
  key ^= key >> 31;
  key *= 0x9e3779b97f4a7c15ull;
  return static_cast<unsigned>(key ^ (key >> 29)) & mask;
}

// The block that stands for the one at c.
template <int D>
__device__ BlockCoord<D> wrapped_block(const BlockPeriod* periods, BlockCoord<D> c) {
  for (int a = 0; a < D; ++a) {
    const BlockPeriod period = periods[a];
    if (period.count == 0) continue;
    const std::int32_t rest = (c[a] - period.first) % period.count;
    c[a] = period.first + (rest < 0 ? rest + period.count : rest);
  }
  return c;
}

// Where a key stands in a table of mask + 1 places, put there where it was not. True: it is new.
__device__ inline bool claim_key(unsigned long long* table, unsigned mask, unsigned long long key,
                                 unsigned& at) {
  for (at = first_place(key, mask);; at = (at + 1) & mask) {
    const unsigned long long found = atomicCAS(table + at, kNoKey, key);
    if (found == kNoKey) return true;
    if (found == key) return false;
  }
}
// The number that stands beside a key; -1 where there is no such block.
__device__ inline std::int32_t find_key(const unsigned long long* table,
                                        const std::int32_t* numbers, unsigned mask,
                                        unsigned long long key) {
  for (unsigned at = first_place(key, mask);; at = (at + 1) & mask) {
    const unsigned long long found = table[at];
    if (found == key) return numbers[at];
    if (found == kNoKey) return -1;
  }
}

}  // namespace firn
