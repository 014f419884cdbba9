// Numbering the blocks anew once the particles of each are counted. Blocks keep their order; those
// that become occupied follow. Nothing is lost when blocks run out: the old topology then stays,
// and the host is asked for room.
#pragma once

#include "cuda/block_table.h"

namespace firn {

template <class T, int D>
__device__ bool ran_out(const View<T, D>& view) {
  return view.control->next_blocks > view.capacity;
}

// Numbers the blocks that have particles and finds their ranges. One thread block.
template <class T, int D>
__global__ void number_blocks_kernel(const __grid_constant__ View<T, D> view) {
  __shared__ unsigned scratch[33];
  Control& control = *view.control;
  const int blocks = control.blocks, next = control.parity ^ 1;
  unsigned occupied = 0, total;
  for (int base = 0; base < blocks; base += blockDim.x) {
    const int slot = base + threadIdx.x;
    unsigned used = 0;
    for (int s = 0; s < view.set_count && slot < blocks; ++s)
      used |= view.totals[std::size_t(s) * view.capacity + slot] > 0;
    const unsigned before = occupied + running_sum_before(used, scratch, total);
    if (slot < blocks) view.new_of[slot] = used ? static_cast<int>(before) : -1;
    if (used) view.old_of[before] = slot;
    occupied += total;
  }
  for (int s = 0; s < view.set_count; ++s) {
    std::uint32_t placed = 0;
    for (int base = 0; base < blocks; base += blockDim.x) {
      const int slot = base + threadIdx.x;
      const unsigned mine = slot < blocks ? view.totals[std::size_t(s) * view.capacity + slot] : 0;
      const std::uint32_t before = placed + running_sum_before(mine, scratch, total);
      if (slot < blocks && view.new_of[slot] >= 0)
        view.sets[s].begin[next][view.new_of[slot]] = before;
      placed += total;
    }
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
