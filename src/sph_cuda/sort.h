// Particles go to the blocks and cells that they have come to. Blocks are numbered along a Morton
// curve, and particles in a cell by their ids: the order follows from places alone, whatever way
// threads take. When blocks run out all stays as it was, and the host is asked for room.
#pragma once

#include "cuda/warp.h"
#include "solver_cuda/block_keys.h"
#include "sph_cuda/view.h"

namespace firn {

__device__ inline std::uint32_t thread_number() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

template <class T, int D>
__global__ void begin_sort_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  view.control->new_blocks = 0;
  view.control->list_used = 0;
  view.control->full = 0;
  view.control->travelled = 0;
  for (int a = 0; a < 3; ++a) {
    view.control->first_block[a] = 1 << 30;
    view.control->last_block[a] = -(1 << 30);
  }
}

// How many blocks further on a place lies along an axis, and where it lies there.
template <int D, class T>
__device__ int blocks_beyond(T place) {
  return static_cast<int>(floor(place / T(BlockShape<D>::kEdge)));
}
template <int D, class T>
__device__ T place_beyond(T place, int step) {
  constexpr T kEdge = T(BlockShape<D>::kEdge);
  constexpr T kLast = kEdge * (T(1) - (sizeof(T) == 4 ? T(6e-8) : T(1.2e-16)));
  return min_of(max_of(place - T(step) * kEdge, T(0)), kLast);
}

template <class T, int D>
__global__ void claim_blocks_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  const std::uint32_t i = thread_number();
  if (i >= view.count) return;
  SphControl& control = *view.control;
  BlockCoord<D> coord = view.coord[view.block_of[i]];
  for (int a = 0; a < D; ++a) coord[a] += blocks_beyond<D>(view.place[i][a]);
  coord = wrapped_block<D>(view.periods, coord);
  unsigned at;
  if (claim_key(view.table_key, view.table_mask, device_key<D>(coord), at)) {
    const int number = atomicAdd(&control.new_blocks, 1);
    if (number < view.block_capacity) {
      view.new_coord[number] = coord;
      view.new_at[number] = at;
    } else {
      control.full = kBlocksFull;
    }
  }
  view.home[i] = at;
}

// Along a Morton curve: the axis with the highest bit that differs decides.
template <int D>
__device__ bool comes_before(const BlockCoord<D>& u, const BlockCoord<D>& v) {
  int axis = 0;
  std::uint32_t most = 0;
  for (int a = 0; a < D; ++a) {
    const std::uint32_t differ = static_cast<std::uint32_t>(u[a] ^ v[a]);
    if (most < differ && most < (most ^ differ)) {
      axis = a;
      most = differ;
    }
  }
  return u[axis] < v[axis];
}

// The number of a block is how many come before it.
template <class T, int D>
__global__ void __launch_bounds__(kSphThreads)
    number_blocks_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  __shared__ BlockCoord<D> others[kSphThreads];
  SphControl& control = *view.control;
  if (control.full) return;
  const int blocks = control.new_blocks;
  for (int first = blockIdx.x * kSphThreads; first < blocks; first += gridDim.x * kSphThreads) {
    const int mine = first + threadIdx.x;
    BlockCoord<D> coord{};
    if (mine < blocks) coord = view.new_coord[mine];
    int number = 0;
    for (int base = 0; base < blocks; base += kSphThreads) {
      __syncthreads();
      if (base + threadIdx.x < blocks) others[threadIdx.x] = view.new_coord[base + threadIdx.x];
      __syncthreads();
      const int here = min(kSphThreads, blocks - base);
      for (int k = 0; k < here; ++k) number += comes_before<D>(others[k], coord);
    }
    if (mine < blocks) {
      view.coord[number] = coord;
      view.table_slot[view.new_at[mine]] = number;
    }
  }
}

template <class T, int D>
__global__ void clear_cells_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  SphControl& control = *view.control;
  if (control.full) return;
  const std::uint32_t cells = control.new_blocks * BlockShape<D>::kNodes;
  for (std::uint32_t c = thread_number(); c < cells; c += gridDim.x * blockDim.x)
    view.cell_count[c] = 0;
  if (thread_number() == 0) control.blocks = control.new_blocks;
}

template <class T, int D>
__global__ void count_cells_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  const std::uint32_t i = thread_number();
  if (i >= view.count || view.control->full) return;
  const std::int32_t block = view.table_slot[view.home[i]];
  std::uint32_t cell = 0;
  for (int a = 0; a < D; ++a) {
    T& place = view.place[i][a];
    place = place_beyond<D>(place, blocks_beyond<D>(place));
    cell = cell * BlockShape<D>::kEdge + static_cast<std::uint32_t>(place);
  }
  view.home[i] = block * BlockShape<D>::kNodes + cell;
  atomicAdd(view.cell_count + view.home[i], 1u);
}

// Where the particles of each block begin. One thread block.
constexpr int kNumberThreads = 1024;
template <class T, int D>
__global__ void __launch_bounds__(kNumberThreads)
    begin_blocks_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  __shared__ unsigned scratch[33];
  const SphControl& control = *view.control;
  if (control.full) return;
  unsigned sum = 0;
  for (int base = 0; base < control.blocks; base += kNumberThreads) {
    const int block = base + threadIdx.x;
    const unsigned mine = block < control.blocks ? view.block_begin[block] : 0;
    unsigned total;
    const unsigned before = sum + running_sum_before(mine, scratch, total);
    if (block < control.blocks) view.block_begin[block] = before;
    sum += total;
  }
}
// And of each cell: first their sums by block, in block_begin, then these. One warp a block.
template <class T, int D>
__global__ void sum_blocks_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  constexpr int kCells = BlockShape<D>::kNodes;
  const int warps = gridDim.x * blockDim.x / 32, lane = threadIdx.x % 32;
  if (view.control->full) return;
  for (int b = thread_number() / 32; b < view.control->blocks; b += warps) {
    unsigned sum = 0;
    for (int c = lane; c < kCells; c += 32) sum += view.cell_count[b * kCells + c];
    sum = warp_sum(sum);
    if (lane == 0) view.block_begin[b] = sum;
  }
}
template <class T, int D>
__global__ void begin_cells_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  constexpr int kCells = BlockShape<D>::kNodes;
  const int warps = gridDim.x * blockDim.x / 32, lane = threadIdx.x % 32;
  const SphControl& control = *view.control;
  if (control.full) return;
  for (int b = thread_number() / 32; b < control.blocks; b += warps) {
    unsigned begin = view.block_begin[b];
    for (int first = 0; first < kCells; first += 32) {
      const unsigned mine = view.cell_count[b * kCells + first + lane];
      const unsigned upto = warp_running_sum(mine);
      view.cell_begin[b * kCells + first + lane] = begin + upto - mine;
      begin += __shfl_sync(kAllLanes, upto, 31);
    }
  }
  if (thread_number() == 0)
    view.cell_begin[control.blocks * kCells] = static_cast<std::uint32_t>(view.count);
}

template <class T, int D>
__global__ void fill_cells_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  const std::uint32_t i = thread_number();
  if (i >= view.count || view.control->full) return;
  const std::uint32_t cell = view.home[i];
  view.order[view.cell_begin[cell] + atomicSub(view.cell_count + cell, 1u) - 1] = i;
}

// Particles of a cell by their ids. Few are in one.
template <class T, int D>
__global__ void order_cells_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  if (view.control->full) return;
  const std::uint32_t cells = view.control->blocks * BlockShape<D>::kNodes;
  for (std::uint32_t c = thread_number(); c < cells; c += gridDim.x * blockDim.x) {
    const std::uint32_t begin = view.cell_begin[c], end = view.cell_begin[c + 1];
    for (std::uint32_t k = begin + 1; k < end; ++k) {
      const std::uint32_t mine = view.order[k];
      const unsigned long long id = view.tags[mine].id;
      std::uint32_t at = k;
      for (; at > begin && view.tags[view.order[at - 1]].id > id; --at)
        view.order[at] = view.order[at - 1];
      view.order[at] = mine;
    }
  }
}

// What particles carry, in the new order: aside, and back. What a step finds anew gives the room.
template <class T, int D>
__global__ void set_aside_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  const std::uint32_t i = thread_number();
  if (i >= view.count || view.control->full) return;
  const std::uint32_t from = view.order[i];
  view.free[i] = view.place[from];
  view.shift[i] = view.velocity[from];
  for (int four = 0; four < kStressFours<D>; ++four)
    view.leading[i * kStressFours<D> + four] = view.stress[from * kStressFours<D> + four];
  view.spare_tags[i] = view.tags[from];
  view.block_of[i] = view.home[from] / BlockShape<D>::kNodes;
}
template <class T, int D>
__global__ void put_back_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  const std::uint32_t i = thread_number();
  if (i >= view.count || view.control->full) return;
  view.place[i] = view.listed[i] = view.free[i];
  view.velocity[i] = view.shift[i];
  for (int four = 0; four < kStressFours<D>; ++four)
    view.stress[i * kStressFours<D> + four] = view.leading[i * kStressFours<D> + four];
  view.tags[i] = view.spare_tags[i];
  view.sets[i] = static_cast<std::uint16_t>(view.tags[i].set);
}

template <class T, int D>
__global__ void link_blocks_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  constexpr int kNeighbors = BlockShape<D>::kNeighbors;
  SphControl& control = *view.control;
  if (control.full) return;
  for (int k = thread_number(); k < control.blocks * kNeighbors; k += gridDim.x * blockDim.x) {
    BlockCoord<D> coord = view.coord[k / kNeighbors];
    if (k % kNeighbors == 0)
      for (int a = 0; a < D; ++a) {
        atomicMin(control.first_block + a, coord[a]);
        atomicMax(control.last_block + a, coord[a]);
      }
    const Vec<int, D> offset = neighbor_offset<D>(k % kNeighbors);
    for (int a = 0; a < D; ++a) coord[a] += offset[a];
    view.neighbors[k] = find_key(view.table_key, view.table_slot, view.table_mask,
                                 device_key<D>(wrapped_block<D>(view.periods, coord)));
  }
}

}  // namespace firn
