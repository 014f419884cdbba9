// Particles to grid, one thread block a grid block. The particles of a chunk are first turned into
// rows (momentum and mass as an affine field over their nodes, and weights), one a thread, and put
// in order of their cells. Then a warp takes a cell: a lane owns a line of its nodes and sums over
// every third of its particles in registers, then lanes of a line hand each other their sums. The
// arena in shared memory thus sees one addition per cell and node instead of one per particle, and
// the grid one per block; and a row is read for three nodes at once.
#pragma once

#include "mpm_cuda/scatter_rows.h"

namespace firn {

// How the lanes of a warp share the nodes and particles of a cell: lane = group x lines + line.
// A group takes every kGroups-th particle. It goes through the nodes of its line from the node with
// its own number on, and owns every kGroups-th of them in the end.
template <class T, int D, class Kernel>
struct CellLane {
  using L = ScatterLayout<T, D, Kernel>;
  static constexpr int K = L::K, kLines = L::kLines;
  static constexpr int kGroups = K * kLines <= 32 ? K : K / 2, kOwned = K / kGroups;
  static_assert(K * kLines <= 32 || kGroups * kLines == 32);

  bool idle;
  int group, line;
  int offset;   // of the line from the cell's first node
  int node[K];  // along the line, in the order of this group
  T line_at[D], node_at[K];

  __device__ CellLane() {
    const int lane = threadIdx.x % 32, used = min(lane, kGroups * kLines - 1);
    idle = lane != used;
    line = used % kLines;
    group = used / kLines;
    offset = 0;
    for (int a = D - 2, rest = line; a >= 0; --a, rest /= K) {
      line_at[a] = T(rest % K);
      offset += rest % K * L::Spread::stride(a);
    }
    for (int j = 0; j < K; ++j) {
      node[j] = (group + j) % K;
      node_at[j] = T(node[j]);
    }
  }
  // The lane of the same line, some groups before this one.
  __device__ int lane_before(int steps) const {
    const int from = group - steps;
    return (from < 0 ? from + kGroups : from) * kLines + line;
  }
};

// Adds one row, weighted, to the sums of this lane's line. `line` and `along` point to the weights
// of the line and, from this group's first node on, along it.
template <class Rows, class T, int D, class Kernel, int Values>
__device__ __forceinline__ void add_row(const CellLane<T, D, Kernel>& lane, const T* row,
                                        const T* line, const T* along,
                                        T (&sum)[Kernel::kNodes][Values]) {
  using L = ScatterLayout<T, D, Kernel, Rows>;
  T head[L::kWeights + 3];
  read_words<L::kWeights>(row, head);
  const T of_line = *line;
  T value[L::kMass];
  for (int c = 0; c < L::kMass; ++c) {
    value[c] = head[c];
    if constexpr (Rows::kSlopes)
      for (int j = 0; j < D - 1; ++j) value[c] += head[L::kSlope + c * D + j] * lane.line_at[j];
  }
#pragma unroll
  for (int j = 0; j < L::K; ++j) {
    const T w = of_line * along[j];
    for (int c = 0; c < L::kMass; ++c)
      if constexpr (Rows::kSlopes)
        sum[j][c] += w * (value[c] + head[L::kSlope + c * D + D - 1] * lane.node_at[j]);
      else
        sum[j][c] += w * value[c];
    sum[j][L::kMass] += w * head[L::kMass];
  }
}

// Adds the rows [first, first + count) of a cell that are this lane's. Rows with another layout
// have an overload of their own.
template <class Rows, class T, int D, class Kernel, int Values>
__device__ __forceinline__ void add_rows(Rows, const CellLane<T, D, Kernel>& lane, const T* rows,
                                         int first, int count, T (&sum)[Kernel::kNodes][Values]) {
  using L = ScatterLayout<T, D, Kernel, Rows>;
  constexpr int G = CellLane<T, D, Kernel>::kGroups;
  const T* row = rows + (first + lane.group) * L::kRow;
  const T *line = row + L::kWeights + lane.line, *along = row + L::kAlong + lane.group;
  const T* const end = rows + (first + count) * L::kRow;
#pragma unroll 1
  for (; row < end; row += G * L::kRow, line += G * L::kRow, along += G * L::kRow)
    add_row<Rows>(lane, row, line, along, sum);
}

// Sums the rows [first, first + count) of one cell; called by a whole warp. give(number of a node
// along this lane's line, sum) then is called for each node that the lane owns.
template <class Rows, class T, int D, class Kernel, class Give>
__device__ __forceinline__ void sum_cell(const CellLane<T, D, Kernel>& lane, const T* rows,
                                         int first, int count, Give&& give) {
  using L = ScatterLayout<T, D, Kernel, Rows>;
  using Lane = CellLane<T, D, Kernel>;
  constexpr int K = Lane::K, G = Lane::kGroups;
  T sum[K][L::kValues] = {};
  add_rows(Rows{}, lane, rows, first, count, sum);
  __syncwarp();
#pragma unroll
  for (int owned = 0; owned < K; owned += G) {
    T total[L::kValues];
    for (int c = 0; c < L::kValues; ++c) total[c] = sum[owned][c];
#pragma unroll
    for (int steps = 1; steps < G; ++steps) {
      // What the group `steps` further on owns is here in one of two places; in one where each node
      // has a group of its own.
      const bool around = lane.group + steps >= G;
      for (int c = 0; c < L::kValues; ++c) {
        const T near = sum[(owned + steps) % K][c], far = sum[(owned + steps + K - G) % K][c];
        total[c] += __shfl_sync(kAllLanes, G < K && around ? far : near, lane.lane_before(steps));
      }
    }
    if (!lane.idle) give(lane.node[owned], total);
  }
}

template <class T, int D, class Kernel, class Rows = MomentumRows>
__global__ void __launch_bounds__(kScatterThreads, sizeof(T) == 4 ? Rows::kGroups : 2)
    scatter_kernel(const __grid_constant__ View<T, D> view) {
  using L = ScatterLayout<T, D, Kernel, Rows>;
  constexpr int kNeighbors = BlockShape<D>::kNeighbors, kSide = Arena<D, Kernel>::kCells;
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ std::int32_t neighbors[kNeighbors];
  __shared__ unsigned members[kScatterThreads], first_row[kScatterThreads], scratch[33];
  __shared__ int2 busy[kScatterThreads];  // of a cell with particles: rows, first node
  T* arena = reinterpret_cast<T*>(memory);
  T* rows = arena + L::kValues * L::kPlane;

  const Control& control = *view.control;
  const int thread = threadIdx.x, parity = control.parity;
  const T dt = T(control.dt);
  const CellLane<T, D, Kernel> lane;
  int own_first_node = 0;  // of the cell with this thread's number
  for (int a = D - 1, rest = thread; a >= 0; --a, rest /= kSide)
    own_first_node += rest % kSide * L::Spread::stride(a);
  // From the last block on: its particles are what the gather wrote last, and may still be in the
  // cache.
  const int first_block = control.occupied - 1 - static_cast<int>(blockIdx.x);
#pragma unroll 1
  for (int block = first_block; block >= 0; block -= gridDim.x) {
    if (view.shares_blocks && !holds_particles(view, block, parity)) continue;
    if (block != first_block) __syncthreads();  // the arena of the block before is read
    if (thread < kNeighbors)
      neighbors[thread] = view.neighbors[parity][std::size_t(block) * kNeighbors + thread];
    for (int i = thread; i < L::kValues * L::kPlane; i += kScatterThreads) arena[i] = T(0);

    for (int s = 0; s < view.set_count; ++s) {
      const SetView<T>& set = view.sets[s];
      if (!Rows::takes(set)) continue;
      const std::uint32_t begin = set.begin[parity][block], end = set.begin[parity][block + 1];
      const int base_row = *set.base_row;
      const auto prefetch_chunk = [&](std::uint32_t first, std::uint32_t last) {
        if (thread > kScatterThreads / kTile) return;
        last = min(last, first + kScatterThreads);
        Rows::template prefetch<T, D>(set, base_row, first, last, thread);
      };
      prefetch_chunk(begin, end);
      for (std::uint32_t chunk = begin; chunk < end; chunk += kScatterThreads) {
        members[thread] = 0;
        __syncthreads();
        prefetch_chunk(chunk + kScatterThreads, end);
        const std::uint32_t p = chunk + thread;
        const bool mine = p < end;
        int cell = 0;
        unsigned rank = 0;
        const ParticleWords<T> particle(set, base_row, mine ? p : begin);
        Vec<T, D> position;
        for (int a = 0; a < D; ++a) position[a] = particle[CommonColumns<D>::kPosition + a];
        const DevicePlace<T, D, Kernel> place(position);
        for (int a = 0; a < D; ++a) cell = cell * kSide + place.cell[a];
        if (mine) rank = atomicAdd(&members[cell], 1u);
        __syncthreads();
        // Rows before this cell's in the low half, cells with particles before it in the high half.
        const unsigned here = members[thread];
        unsigned total;
        const unsigned before =
            running_sum_before(here + (here > 0 ? 0x10000u : 0u), scratch, total);
        first_row[thread] = before & 0xffff;
        if (here > 0)
          busy[before >> 16] = {static_cast<int>(here << 16 | (before & 0xffff)), own_first_node};
        __syncthreads();
        if (mine)
          Rows::template make<T, D, Kernel>(view, set, particle, dt, place,
                                            rows + (first_row[cell] + rank) * L::kRow);
        __syncthreads();
        const int busy_cells = static_cast<int>(total >> 16);
        for (int i = thread / 32; i < busy_cells; i += kScatterThreads / 32) {
          const int2 cell_rows = busy[i];
          T* first_node = arena + cell_rows.y + lane.offset;
          sum_cell<Rows>(lane, rows, cell_rows.x & 0xffff, cell_rows.x >> 16,
                         [&](int along, const T(&total)[L::kValues]) {
                           for (int c = 0; c < L::kValues; ++c)
                             atomicAdd(first_node + c * L::kPlane + along, total[c]);
                         });
        }
        __syncthreads();
      }
    }
    __syncthreads();
    L::Spread::for_each_node(neighbors, [&](int at, std::size_t node) {
      const T mass = arena[L::kMass * L::kPlane + at];
      bool empty = mass == T(0);
      if constexpr (!Rows::kMassMarks)
        for (int c = 0; c < L::kMass; ++c) empty = empty && arena[c * L::kPlane + at] == T(0);
      if (empty) return;
      DeviceNode<T> sum{{T(0), T(0), T(0), mass}};
      for (int c = 0; c < L::kMass; ++c) sum.e[c] = arena[c * L::kPlane + at];
      add_node(view.momentum + node, sum);
      if constexpr (Rows::kPushesApart) {
        DeviceNode<T> push{};
        for (int c = 0; c < D; ++c) push.e[c] = arena[(L::kPush + c) * L::kPlane + at];
        add_node(view.push + node, push);
      }
    });
  }
}

}  // namespace firn
