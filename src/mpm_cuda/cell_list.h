// The particles of a chunk put in order of their cells by a thread block, those of a cell in the
// order of their threads: the same from run to run.
#pragma once

#include "mpm_cuda/device_tools.h"

namespace firn {

template <int Threads, int Cells>
struct CellList {
  static constexpr int kWarps = Threads / 32;

  struct Busy {
    int first, count;  // rows
    int cell;
  };
  std::uint16_t before[kWarps][Cells];  // rows of a cell that earlier warps have
  std::uint16_t first_row[Cells];
  std::int16_t place_of[Cells];  // of a cell in `busy`, -1 where it has no particles
  Busy busy[Threads];
  unsigned scratch[33];

  // The row of this thread's particle. Called by all threads, which all get the number of cells
  // that have particles.
  __device__ int add(int cell, bool mine, int& busy_cells) {
    const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
    for (int i = thread; i < kWarps * Cells; i += Threads) before[0][i] = 0;
    __syncthreads();
    const unsigned peers = __match_any_sync(kAllLanes, mine ? cell : -1);
    const int rank = __popc(peers & ((1u << lane) - 1));
    if (mine && rank == 0) before[warp][cell] = static_cast<std::uint16_t>(__popc(peers));
    __syncthreads();
    // Rows in the low half, cells with particles in the high half.
    unsigned placed = 0;
    for (int base = 0; base < Cells; base += Threads) {
      const int own = base + thread;
      unsigned here = 0, total;
      for (int w = 0; w < kWarps && own < Cells; ++w) {
        const unsigned n = before[w][own];
        before[w][own] = static_cast<std::uint16_t>(here);
        here += n;
      }
      const unsigned upto =
          placed + running_sum_before(here + (here > 0 ? 0x10000u : 0u), scratch, total);
      if (own < Cells) {
        first_row[own] = static_cast<std::uint16_t>(upto & 0xffff);
        place_of[own] = here > 0 ? static_cast<std::int16_t>(upto >> 16) : std::int16_t(-1);
      }
      if (here > 0) busy[upto >> 16] = {int(upto & 0xffff), int(here), own};
      placed += total;
    }
    __syncthreads();
    busy_cells = static_cast<int>(placed >> 16);
    return mine ? first_row[cell] + before[warp][cell] + rank : 0;
  }
};

// Sums of cells on their way to the nodes around a block. Warps leave what a cell gives to each of
// its nodes in shared memory; then every thread adds up what the cells of a round gave to the nodes
// that it owns, in the order of the cells.
template <class T, int D, class Kernel, int Components, int Threads, int Round>
struct CellSums {
  using A = Arena<D, Kernel>;
  static constexpr int K = Kernel::kNodes, kCellNodes = power(K, D);
  // Of a layer across the first axis.
  static constexpr int kLayerNodes = power(K, D - 1), kLayerCells = power(A::kCells, D - 1);
  static constexpr int kStride = Components * kCellNodes | 1;  // odd: neighbours in other banks
  static constexpr int kOwned = (A::kSize + Threads - 1) / Threads;
  static constexpr std::size_t kBytes = std::size_t(Round) * kStride * sizeof(T);

  T total[kOwned][Components] = {};

  __device__ static void put(T* sums, int place, int node, const T (&value)[Components]) {
    for (int c = 0; c < Components; ++c) sums[place * kStride + c * kCellNodes + node] = value[c];
  }
  // The busy cells of a list from number `base` on, as many as fit. They are in order: nodes of
  // layers that none of them reaches are passed over.
  template <class List>
  __device__ void take(const T* sums, const List& list, int base, int busy_cells) {
    constexpr int kUnroll = kOwned * kCellNodes * Components <= 256 ? kLayerNodes : 1;
    const int low = list.busy[base].cell / kLayerCells;
    const int high = list.busy[min(base + Round, busy_cells) - 1].cell / kLayerCells;
#pragma unroll
    for (int o = 0; o < kOwned; ++o) {
      const int node = threadIdx.x + o * Threads;
#pragma unroll
      for (int k = 0; k < K; ++k) {
        const int layer = node / power(A::kWidth, D - 1) - k;
        if (layer < low || layer > high) continue;
#pragma unroll kUnroll
        for (int j = 0; j < kLayerNodes; ++j)
          add_cell(sums, list.place_of, base, node, layer, k * kLayerNodes + j, total[o]);
      }
    }
  }
  // What the cell whose k-th node is `node`, in a layer of its own number, gave to that.
  __device__ static void add_cell(const T* sums, const std::int16_t* place_of, int base, int node,
                                  int layer, int k, T (&sum)[Components]) {
    int cell = layer * kLayerCells, scale = 1;
    bool inside = true;
    for (int a = D - 1, in_layer = node, rest = k; a > 0; --a) {
      const int at = in_layer % A::kWidth - rest % K;
      inside = inside && at >= 0 && at < A::kCells;
      cell += at * scale;
      scale *= A::kCells;
      in_layer /= A::kWidth;
      rest /= K;
    }
    const int place = inside ? place_of[cell] - base : -1;
    if (place < 0 || place >= Round) return;
    for (int c = 0; c < Components; ++c) sum[c] += sums[place * kStride + c * kCellNodes + k];
  }
  // f(number of the node in the arena, its sums).
  template <class F>
  __device__ void for_each_node(F&& f) const {
#pragma unroll
    for (int o = 0; o < kOwned; ++o) {
      const int node = threadIdx.x + o * Threads;
      if (node < A::kSize) f(node, total[o]);
    }
  }
};

}  // namespace firn
