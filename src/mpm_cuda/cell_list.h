// The particles of a chunk put in order of their cells by a thread block, those of a cell in the
// order of their threads: the same from run to run.
#pragma once

#include "mpm/arena.h"
#include "mpm_cuda/device_tools.h"

namespace firn {

// Cells of an arena with as many around it as nodes reach out of it: all that can give to a node.
template <int D, class Kernel>
struct CellsAround {
  static constexpr int kReach = Kernel::kNodes - 1;
  static constexpr int kEdge = Arena<D, Kernel>::kCells + 2 * kReach, kSize = power(kEdge, D);

  // The place of a cell, or of the one with a node's number.
  template <int Edge>
  __device__ static int place(int number) {
    int at = 0, scale = 1;
    for (int a = 0; a < D; ++a) {
      at += (number % Edge + kReach) * scale;
      scale *= kEdge;
      number /= Edge;
    }
    return at;
  }
};

template <int Threads, int D, class Kernel>
struct CellList {
  using Around = CellsAround<D, Kernel>;
  static constexpr int kWarps = Threads / 32, kEdge = Arena<D, Kernel>::kCells;
  static constexpr int kCells = power(kEdge, D);

  struct Busy {
    std::uint16_t first, count;  // rows
    std::uint16_t cell;
  };
  std::uint16_t before[kWarps][kCells];  // rows of a cell that earlier warps have
  std::uint16_t first_row[kCells];
  // Of the cells around in `busy`, -1 where they have no particles.
  alignas(4) std::int16_t place_of[(Around::kSize + 1) / 2 * 2];
  Busy busy[Threads];
  unsigned scratch[33];

  // The row of this thread's particle. Called by all threads, which all get the number of cells
  // that have particles.
  __device__ int add(int cell, bool mine, int& busy_cells) {
    const int thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
    for (int i = thread; i < kWarps * kCells; i += Threads) before[0][i] = 0;
    for (int i = thread; i < (Around::kSize + 1) / 2; i += Threads)
      reinterpret_cast<std::int32_t*>(place_of)[i] = -1;
    __syncthreads();
    const unsigned peers = __match_any_sync(kAllLanes, mine ? cell : -1);
    const int rank = __popc(peers & ((1u << lane) - 1));
    if (mine && rank == 0) before[warp][cell] = static_cast<std::uint16_t>(__popc(peers));
    __syncthreads();
    // Rows in the low half, cells with particles in the high half.
    unsigned placed = 0;
    for (int base = 0; base < kCells; base += Threads) {
      const int own = base + thread;
      unsigned here = 0, total;
      for (int w = 0; w < kWarps && own < kCells; ++w) {
        const unsigned n = before[w][own];
        before[w][own] = static_cast<std::uint16_t>(here);
        here += n;
      }
      const unsigned upto =
          placed + running_sum_before(here + (here > 0 ? 0x10000u : 0u), scratch, total);
      if (own < kCells) first_row[own] = static_cast<std::uint16_t>(upto & 0xffff);
      if (here > 0) {
        place_of[Around::template place<kEdge>(own)] = static_cast<std::int16_t>(upto >> 16);
        busy[upto >> 16] = {static_cast<std::uint16_t>(upto & 0xffff),
                            static_cast<std::uint16_t>(here), static_cast<std::uint16_t>(own)};
      }
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
  static constexpr int kLayer = power(A::kWidth, D - 1);       // nodes of the arena
  static constexpr int kOwned = (A::kSize + Threads - 1) / Threads;
  // From one node of a thread to the next: whole layers, so that they lie above each other, unless
  // a thread would have more of them.
  static constexpr int kWhole = Threads / kLayer * kLayer;
  static constexpr int kStep = kOwned * kWhole >= A::kSize ? kWhole : Threads;
  static constexpr std::size_t kBytes = std::size_t(Round) * kStride * sizeof(T);

  T total[kOwned][Components] = {};

  __device__ static void put(T* sums, int place, int node, const T (&value)[Components]) {
    for (int c = 0; c < Components; ++c) sums[place * kStride + c * kCellNodes + node] = value[c];
  }
  // The busy cells of a list from number `base` on, as many as fit. They are in order: nodes of
  // layers that none of them reaches are passed over.
  template <class List>
  __device__ void take(const T* sums, const List& list, int base, int busy_cells) {
    using Around = typename List::Around;
    constexpr int kUnroll = kOwned * kCellNodes * Components <= 256 ? kLayerNodes : 1;
    constexpr int kAroundLayer = power(Around::kEdge, D - 1);
    if (threadIdx.x >= kStep) return;
    const int low = list.busy[base].cell / kLayerCells;
    const int high = list.busy[min(base + Round, busy_cells) - 1].cell / kLayerCells;
#pragma unroll
    for (int o = 0; o < kOwned; ++o) {
      const int node = threadIdx.x + o * kStep;
      const std::int16_t* const places = list.place_of + Around::template place<A::kWidth>(node);
#pragma unroll
      for (int k = 0; k < K; ++k) {
        const int layer = node / kLayer - k;
        if (layer < low || layer > high) continue;
#pragma unroll kUnroll
        for (int j = 0; j < kLayerNodes; ++j) {
          const int back = D == 3 ? j / K * Around::kEdge + j % K : j;
          const unsigned place = places[-k * kAroundLayer - back] - base;
          if (place >= unsigned(Round)) continue;
          const T* const given = sums + place * kStride + k * kLayerNodes + j;
          for (int c = 0; c < Components; ++c) total[o][c] += given[c * kCellNodes];
        }
      }
    }
  }
  // f(number of the node in the arena, its sums).
  template <class F>
  __device__ void for_each_node(F&& f) const {
#pragma unroll
    for (int o = 0; o < kOwned; ++o) {
      const int node = threadIdx.x + o * kStep;
      if (threadIdx.x < kStep && node < A::kSize) f(node, total[o]);
    }
  }
};

}  // namespace firn
