// The hash table from places of blocks to their numbers.
#pragma once

#include "mpm_cuda/device_tools.h"

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

template <class T, int D>
__device__ BlockCoord<D> wrapped(const View<T, D>& view, BlockCoord<D> c) {
  for (int a = 0; a < D; ++a) {
    const BlockPeriod period = view.periods[a];
    if (period.count == 0) continue;
    const std::int32_t rest = (c[a] - period.first) % period.count;
    c[a] = period.first + (rest < 0 ? rest + period.count : rest);
  }
  return c;
}

// True where the key is new.
template <class T, int D>
__device__ bool claim_key(const View<T, D>& view, unsigned long long key, unsigned& at) {
  for (at = first_place(key, view.table_mask);; at = (at + 1) & view.table_mask) {
    const unsigned long long found = atomicCAS(view.table_key + at, kNoKey, key);
    if (found == kNoKey) return true;
    if (found == key) return false;
  }
}

// -1 where there is no such block.
template <class T, int D>
__device__ std::int32_t find_key(const View<T, D>& view, unsigned long long key) {
  for (unsigned at = first_place(key, view.table_mask);; at = (at + 1) & view.table_mask) {
    const unsigned long long found = view.table_key[at];
    if (found == key) return view.table_slot[at];
    if (found == kNoKey) return -1;
  }
}

}  // namespace firn
