// Numbering the blocks anew once the particles of each are counted. Blocks keep their order; those
// that become occupied follow. Nothing is lost when blocks run out: the old topology then stays,
// and the host is asked for room.
#pragma once

#include "mpm_cuda/block_table.h"

namespace firn {

template <class T, int D>
__device__ bool ran_out(const View<T, D>& view) {
  return view.control->next_blocks > view.capacity;
}

// Calls f(slot, sum of value_of over the slots before it) for all slots below n, and gives the sum
// of all. For one thread block; some slots a thread and round.
template <class ValueOf, class F>
__device__ unsigned for_each_with_sum(int n, unsigned* scratch, ValueOf&& value_of, F&& f) {
  constexpr int kSlots = 4;
  unsigned sum = 0;
  for (int base = 0; base < n; base += blockDim.x * kSlots) {
    const int first = base + threadIdx.x * kSlots;
    unsigned value[kSlots], mine = 0, total;
    for (int k = 0; k < kSlots; ++k) {
      value[k] = first + k < n ? value_of(first + k) : 0;
      mine += value[k];
    }
    unsigned before = sum + running_sum_before(mine, scratch, total);
    for (int k = 0; k < kSlots && first + k < n; ++k) {
      f(first + k, before);
      before += value[k];
    }
    sum += total;
  }
  return sum;
}

constexpr int kNumberThreads = 1024;

// Numbers the blocks that have particles and finds their ranges. One thread block.
template <class T, int D>
__global__ void __launch_bounds__(kNumberThreads)
    number_blocks_kernel(const __grid_constant__ View<T, D> view) {
  __shared__ unsigned scratch[33];
  Control& control = *view.control;
  const int blocks = control.blocks, next = control.parity ^ 1;
  const auto used = [&](int slot) {
    unsigned any = 0;
    for (int s = 0; s < view.set_count; ++s)
      any |= view.totals[std::size_t(s) * view.capacity + slot] > 0;
    return any;
  };
  const unsigned occupied =
      for_each_with_sum(blocks, scratch, used, [&](int slot, unsigned before) {
        const bool is_used = used(slot) > 0;
        view.new_of[slot] = is_used ? static_cast<int>(before) : -1;
        if (is_used) view.old_of[before] = slot;
      });
  for (int s = 0; s < view.set_count; ++s) {
    const std::uint32_t* totals = view.totals + std::size_t(s) * view.capacity;
    const unsigned placed = for_each_with_sum(
        blocks, scratch, [&](int slot) { return totals[slot]; },
        [&](int slot, unsigned before) {
          if (view.new_of[slot] >= 0) view.sets[s].begin[next][view.new_of[slot]] = before;
        });
    if (threadIdx.x == 0) view.sets[s].begin[next][occupied] = placed;
  }
  if (threadIdx.x == 0) control.next_occupied = control.next_blocks = static_cast<int>(occupied);
}

template <class T, int D>
__global__ void insert_occupied_kernel(const __grid_constant__ View<T, D> view) {
  const Control& control = *view.control;
  const int slot = blockIdx.x * blockDim.x + threadIdx.x;
  if (slot >= control.next_occupied) return;
  const BlockCoord<D> coord = view.coord[control.parity][view.old_of[slot]];
  view.coord[control.parity ^ 1][slot] = coord;
  unsigned at;
  claim_key(view, device_key<D>(coord), at);
  view.table_slot[at] = slot;
}

template <class T, int D>
__device__ unsigned long long neighbor_key(const View<T, D>& view, int i, BlockCoord<D>& coord) {
  constexpr int kNeighbors = BlockShape<D>::kNeighbors;
  coord = view.coord[view.control->parity ^ 1][i / kNeighbors];
  int code = i % kNeighbors;
  for (int a = D - 1; a >= 0; --a, code /= 3) coord[a] += code % 3 - 1;
  coord = wrapped(view, coord);
  return device_key<D>(coord);
}

// Blocks around occupied ones get numbers behind them.
template <class T, int D>
__global__ void insert_neighbors_kernel(const __grid_constant__ View<T, D> view) {
  Control& control = *view.control;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= control.next_occupied * BlockShape<D>::kNeighbors) return;
  BlockCoord<D> coord;
  unsigned at;
  if (!claim_key(view, neighbor_key(view, i, coord), at)) return;
  const int slot = atomicAdd(&control.next_blocks, 1);
  view.table_slot[at] = slot;
  if (slot < view.capacity) view.coord[control.parity ^ 1][slot] = coord;
}

// Blocks around occupied ones need to know theirs where arenas are summed.
template <class T, int D>
__global__ void link_neighbors_kernel(const __grid_constant__ View<T, D> view) {
  const Control& control = *view.control;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int blocks = view.arenas ? control.next_blocks : control.next_occupied;
  if (ran_out(view) || i >= blocks * BlockShape<D>::kNeighbors) return;
  BlockCoord<D> coord;
  view.neighbors[control.parity ^ 1][i] = find_key(view, neighbor_key(view, i, coord));
}

// The table of the blocks that there are.
template <class T, int D>
__global__ void fill_table_kernel(const __grid_constant__ View<T, D> view) {
  const Control& control = *view.control;
  const int slot = blockIdx.x * blockDim.x + threadIdx.x;
  if (slot >= control.blocks) return;
  unsigned at;
  claim_key(view, device_key<D>(view.coord[control.parity][slot]), at);
  view.table_slot[at] = slot;
}

}  // namespace firn
