// What lies in space goes to the blocks and cells that it has come to. Blocks are numbered along a
// Morton curve, so that their order follows from places alone, whatever way threads take. When
// blocks run out nothing has changed yet, and the host is asked for room.
//
// A sort clears the table and the counts, claims blocks, numbers them, lets each thing count itself
// in its cell, and then knows where cells begin.
#pragma once

#include <algorithm>

#include "cuda/memory.h"
#include "cuda/warp.h"
#include "solver_cuda/block_keys.h"

namespace firn {

// What there was too little room for; others have bits of their own.
constexpr std::int32_t kBlocksFull = 1;

struct BlockCounts {
  std::int32_t full;                           // kBlocksFull and the like
  std::int32_t blocks, new_blocks;             // occupied; and those that a sort finds
  std::int32_t first_block[3], last_block[3];  // corners of the occupied blocks
};

template <int D>
struct BlockOrderView {
  BlockCounts* counts = nullptr;
  int block_capacity = 0;
  int cells = 0;  // of a block
  BlockCoord<D>* coord = nullptr;
  BlockCoord<D>* new_coord = nullptr;
  std::uint32_t* new_at = nullptr;  // place in the table
  unsigned long long* table_key = nullptr;
  std::int32_t* table_slot = nullptr;
  unsigned table_mask = 0;
  std::int32_t* neighbors = nullptr;    // 3^D of each
  std::uint32_t* cell_begin = nullptr;  // of each cell of each block, and the end
  std::uint32_t* cell_count = nullptr;
  std::uint32_t* block_begin = nullptr;
  BlockPeriod periods[D] = {};
};

constexpr int kOrderThreads = 128;

__device__ inline std::uint32_t thread_number() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

// Where a block stands in the table; it is put there where it was not.
template <int D>
__device__ unsigned claim_block(const BlockOrderView<D>& view, const BlockCoord<D>& coord) {
  unsigned at;
  if (!claim_key(view.table_key, view.table_mask, device_key<D>(coord), at)) return at;
  const int number = atomicAdd(&view.counts->new_blocks, 1);
  if (number < view.block_capacity) {
    view.new_coord[number] = coord;
    view.new_at[number] = at;
  } else {
    atomicOr(&view.counts->full, kBlocksFull);
  }
  return at;
}

// The same of one that is likely to be there: without writing.
template <int D>
__device__ unsigned claim_known_block(const BlockOrderView<D>& view, const BlockCoord<D>& coord) {
  const unsigned long long key = device_key<D>(coord);
  const unsigned at = first_place(key, view.table_mask);
  // From the cache that all processors share: another one may have put it there just now.
  return __ldcg(view.table_key + at) == key ? at : claim_block<D>(view, coord);
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
template <int D>
__global__ void __launch_bounds__(kOrderThreads)
    number_blocks_kernel(const __grid_constant__ BlockOrderView<D> view) {
  __shared__ BlockCoord<D> others[kOrderThreads];
  BlockCounts& counts = *view.counts;
  if (counts.full) return;
  const int blocks = counts.new_blocks;
  for (int first = blockIdx.x * kOrderThreads; first < blocks; first += gridDim.x * kOrderThreads) {
    const int mine = first + threadIdx.x;
    BlockCoord<D> coord{};
    if (mine < blocks) coord = view.new_coord[mine];
    int number = 0;
    for (int base = 0; base < blocks; base += kOrderThreads) {
      __syncthreads();
      if (base + threadIdx.x < blocks) others[threadIdx.x] = view.new_coord[base + threadIdx.x];
      __syncthreads();
      const int here = min(kOrderThreads, blocks - base);
      for (int k = 0; k < here; ++k) number += comes_before<D>(others[k], coord);
    }
    if (mine < blocks) {
      view.coord[number] = coord;
      view.table_slot[view.new_at[mine]] = number;
    }
  }
}

template <int D>
__global__ void clear_cells_kernel(const __grid_constant__ BlockOrderView<D> view) {
  BlockCounts& counts = *view.counts;
  if (counts.full) return;
  const std::uint32_t cells = counts.new_blocks * view.cells;
  for (std::uint32_t c = thread_number(); c < cells; c += gridDim.x * blockDim.x)
    view.cell_count[c] = 0;
  if (thread_number() == 0) counts.blocks = counts.new_blocks;
}

// Where cells begin: first their sums by block, in block_begin, then where blocks begin, then
// cells. One warp a block; one thread block.
template <int D>
__global__ void sum_blocks_kernel(const __grid_constant__ BlockOrderView<D> view) {
  const int warps = gridDim.x * blockDim.x / 32, lane = threadIdx.x % 32;
  if (view.counts->full) return;
  for (int b = thread_number() / 32; b < view.counts->blocks; b += warps) {
    unsigned sum = 0;
    for (int c = lane; c < view.cells; c += 32) sum += view.cell_count[b * view.cells + c];
    sum = warp_sum(sum);
    if (lane == 0) view.block_begin[b] = sum;
  }
}
constexpr int kNumberThreads = 1024;
template <int D>
__global__ void __launch_bounds__(kNumberThreads)
    begin_blocks_kernel(const __grid_constant__ BlockOrderView<D> view) {
  __shared__ unsigned scratch[33];
  const BlockCounts& counts = *view.counts;
  if (counts.full) return;
  unsigned sum = 0;
  for (int base = 0; base < counts.blocks; base += kNumberThreads) {
    const int block = base + threadIdx.x;
    const unsigned mine = block < counts.blocks ? view.block_begin[block] : 0;
    unsigned total;
    const unsigned before = sum + running_sum_before(mine, scratch, total);
    if (block < counts.blocks) view.block_begin[block] = before;
    sum += total;
  }
  if (threadIdx.x == 0) view.cell_begin[counts.blocks * view.cells] = sum;
}
template <int D>
__global__ void begin_cells_kernel(const __grid_constant__ BlockOrderView<D> view) {
  const int warps = gridDim.x * blockDim.x / 32, lane = threadIdx.x % 32;
  const BlockCounts& counts = *view.counts;
  if (counts.full) return;
  for (int b = thread_number() / 32; b < counts.blocks; b += warps) {
    unsigned begin = view.block_begin[b];
    for (int first = 0; first < view.cells; first += 32) {
      const bool is_cell = first + lane < view.cells;
      const int cell = b * view.cells + first + lane;
      const unsigned mine = is_cell ? view.cell_count[cell] : 0;
      const unsigned upto = warp_running_sum(mine);
      if (is_cell) view.cell_begin[cell] = begin + upto - mine;
      begin += __shfl_sync(kAllLanes, upto, 31);
    }
  }
}

// Corners between which the occupied blocks lie; the wrong way round where there are none.
static __global__ void begin_corners_kernel(BlockCounts* counts) {
  for (int a = 0; a < 3; ++a) {
    counts->first_block[a] = 1 << 30;
    counts->last_block[a] = -(1 << 30);
  }
}
template <int D>
__global__ void find_corners_kernel(const __grid_constant__ BlockOrderView<D> view) {
  BlockCounts& counts = *view.counts;
  if (counts.full) return;
  for (int b = thread_number(); b < counts.blocks; b += gridDim.x * blockDim.x)
    for (int a = 0; a < D; ++a) {
      atomicMin(counts.first_block + a, view.coord[b][a]);
      atomicMax(counts.last_block + a, view.coord[b][a]);
    }
}

// Numbers of the blocks of `view` around each block of `from`, as it lists neighbours.
template <int D>
__global__ void link_blocks_kernel(const __grid_constant__ BlockOrderView<D> from,
                                   const __grid_constant__ BlockOrderView<D> view,
                                   std::int32_t* numbers) {
  constexpr int kNeighbors = BlockShape<D>::kNeighbors;
  if (from.counts->full || view.counts->full) return;
  for (int k = thread_number(); k < from.counts->blocks * kNeighbors; k += gridDim.x * blockDim.x) {
    BlockCoord<D> coord = from.coord[k / kNeighbors];
    const Vec<int, D> offset = neighbor_offset<D>(k % kNeighbors);
    for (int a = 0; a < D; ++a) coord[a] += offset[a];
    numbers[k] = find_key(view.table_key, view.table_slot, view.table_mask,
                          device_key<D>(wrapped_block<D>(view.periods, coord)));
  }
}

// What a sort puts on the stream around its own kernels; `groups` thread blocks each.
template <int D>
void number_blocks(const BlockOrderView<D>& view, int groups, cudaStream_t stream) {
  number_blocks_kernel<D><<<groups, kOrderThreads, 0, stream>>>(view);
  clear_cells_kernel<D><<<groups, kOrderThreads, 0, stream>>>(view);
}
template <int D>
void begin_cells(const BlockOrderView<D>& view, int groups, cudaStream_t stream) {
  sum_blocks_kernel<D><<<groups, kOrderThreads, 0, stream>>>(view);
  begin_blocks_kernel<D><<<1, kNumberThreads, 0, stream>>>(view);
  begin_cells_kernel<D><<<groups, kOrderThreads, 0, stream>>>(view);
}
template <int D>
void find_corners(const BlockOrderView<D>& view, int groups, cudaStream_t stream) {
  begin_corners_kernel<<<1, 1, 0, stream>>>(view.counts);
  find_corners_kernel<D><<<groups, kOrderThreads, 0, stream>>>(view);
}
template <int D>
void link_blocks(const BlockOrderView<D>& from, const BlockOrderView<D>& to, std::int32_t* numbers,
                 int groups, cudaStream_t stream) {
  link_blocks_kernel<D><<<groups, kOrderThreads, 0, stream>>>(from, to, numbers);
}

template <int D>
class BlockOrderStore {
 public:
  // At least so many blocks of so many cells, for so many things to be sorted; coordinates of those
  // that there are stay. Whether memory moved.
  bool reserve(int blocks, int cells, std::size_t things, BlockOrderView<D>& view,
               cudaStream_t stream) {
    view.cells = cells;
    const bool more = blocks > view.block_capacity;
    if (more) {
      const std::size_t capacity = std::size_t(blocks) + blocks / 2 + 64;
      coord_.grow(capacity, stream);
      new_coord_.allocate(capacity);
      for (DeviceArray<std::uint32_t>* array : {&new_at_, &block_begin_}) array->allocate(capacity);
      neighbors_.allocate(capacity * BlockShape<D>::kNeighbors);
      cell_begin_.allocate(capacity * cells + 1);
      cell_count_.allocate(capacity * cells);
      view.block_capacity = static_cast<int>(capacity);
    }
    // Threads that look for a place at once may be many more than there are blocks: none must find
    // the table full.
    constexpr std::size_t kThreadsAtOnce = 1 << 19;
    std::size_t places = 64;
    while (places <
           std::max(2 * std::size_t(view.block_capacity), std::min(2 * things, kThreadsAtOnce)))
      places *= 2;
    const bool moves = more || places != table_key_.size();
    table_key_.allocate(places);
    table_slot_.allocate(places);
    view.table_mask = static_cast<unsigned>(places - 1);
    show(view);
    return moves;
  }
  void clear_table(cudaStream_t stream) const {
    if (table_key_.size() > 0)
      must(cudaMemsetAsync(table_key_.data(), 0xff, table_key_.bytes(), stream), "a sort");
  }
  DeviceArray<BlockCoord<D>>& coord() { return coord_; }
  DeviceArray<std::uint32_t>& cell_begin() { return cell_begin_; }
  std::size_t bytes() const {
    return coord_.bytes() + new_coord_.bytes() + new_at_.bytes() + block_begin_.bytes() +
           neighbors_.bytes() + cell_begin_.bytes() + cell_count_.bytes() + table_key_.bytes() +
           table_slot_.bytes();
  }

 private:
  void show(BlockOrderView<D>& view) const {
    view.coord = coord_.data();
    view.new_coord = new_coord_.data();
    view.new_at = new_at_.data();
    view.table_key = table_key_.data();
    view.table_slot = table_slot_.data();
    view.neighbors = neighbors_.data();
    view.cell_begin = cell_begin_.data();
    view.cell_count = cell_count_.data();
    view.block_begin = block_begin_.data();
  }

  DeviceArray<BlockCoord<D>> coord_, new_coord_;
  DeviceArray<std::uint32_t> new_at_, block_begin_, cell_begin_, cell_count_;
  DeviceArray<std::int32_t> neighbors_, table_slot_;
  DeviceArray<unsigned long long> table_key_;
};

}  // namespace firn
