// The hash table of the blocks of a view.
#pragma once

#include "mpm_cuda/device_tools.h"
#include "solver_cuda/block_keys.h"

namespace firn {

template <class T, int D>
__device__ BlockCoord<D> wrapped(const View<T, D>& view, const BlockCoord<D>& c) {
  return wrapped_block<D>(view.periods, c);
}
template <class T, int D>
__device__ bool claim_key(const View<T, D>& view, unsigned long long key, unsigned& at) {
  return claim_key(view.table_key, view.table_mask, key, at);
}
template <class T, int D>
__device__ std::int32_t find_key(const View<T, D>& view, unsigned long long key) {
  return find_key(view.table_key, view.table_slot, view.table_mask, key);
}

}  // namespace firn
