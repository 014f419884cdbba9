// Gradients of a field of nodes at particles, what these make of them, and matrices of particles
// given back to nodes by the transpose: the operators of implicit steps (mpm/operators.h,
// map_gradients). Sums have a fixed order, as in scatter_fixed.h; one set a launch, and the sets of
// a step follow each other into the same arenas.
#pragma once

#include "mpm/implicit_particle.h"
#include "mpm_cuda/gather_transfer.h"
#include "mpm_cuda/scatter_fixed.h"

namespace firn {

// D * D numbers of each particle of a set, or its tangent: columns of set.capacity values.
template <class T>
struct ParticleColumns {
  T* first = nullptr;
  std::size_t stride = 0;

  __device__ T& at(int column, std::uint32_t p) const { return first[column * stride + p]; }
};

// What becomes of the gradient at a particle before it goes back to the nodes: a matrix that was
// found before,
template <class T, int D>
struct GivenMatrix {
  static constexpr bool kGathers = false;
  ParticleColumns<T> columns;

  __device__ Mat<T, D> load(std::uint32_t p) const {
    Mat<T, D> m;
    for (int k = 0; k < D * D; ++k) m(k / D, k % D) = columns.at(k, p);
    return m;
  }
  __device__ static Mat<T, D> apply(const Mat<T, D>& matrix, const Mat<T, D>&) { return matrix; }
};
// or what its tangent makes of it.
template <class T, int D, class Tangent>
struct TangentProduct {
  static constexpr bool kGathers = true;
  ParticleColumns<T> columns;

  __device__ Tangent load(std::uint32_t p) const {
    Tangent tangent;
    int c = 0;
    tangent.for_each([&](T& x) { x = columns.at(c++, p); });
    return tangent;
  }
  __device__ static Mat<T, D> apply(const Tangent& tangent, const Mat<T, D>& rate) {
    return tangent.apply(rate);
  }
};

// Rows of matrices: an impulse that changes linearly over the nodes, and no mass.
struct MatrixRows {};

template <class T, int D, class Kernel>
struct ScatterLayout<T, D, Kernel, MatrixRows> : ScatterArena<D, Kernel> {
  using Base = ScatterArena<D, Kernel>;
  using Base::K, Base::kLines;
  static constexpr int kValues = D, kSlope = D, kWeights = kSlope + D * D;
  static constexpr int kAlong = kWeights + kLines, kWords = kAlong + 2 * K - 1;
  static constexpr int kRow = Base::row_length(kWords);
  static constexpr std::size_t kBytes = Base::template bytes<T>(kValues, kRow);
};

template <class T, int D, class Kernel, int Values>
__device__ __forceinline__ void add_rows(MatrixRows, const CellLane<T, D, Kernel>& lane,
                                         const T* rows, int first, int count,
                                         T (&sum)[Kernel::kNodes][Values]) {
  using L = ScatterLayout<T, D, Kernel, MatrixRows>;
  constexpr int kSteps = CellLane<T, D, Kernel>::kGroups * L::kRow;
  const T* const end = rows + (first + count) * L::kRow;
#pragma unroll 1
  for (const T* row = rows + (first + lane.group) * L::kRow; row < end; row += kSteps) {
    T head[L::kWeights + 3];
    read_words<L::kWeights>(row, head);
    const T of_line = row[L::kWeights + lane.line];
    T value[D];
    for (int c = 0; c < D; ++c) {
      value[c] = head[c];
      for (int j = 0; j < D - 1; ++j) value[c] += head[L::kSlope + c * D + j] * lane.line_at[j];
    }
#pragma unroll
    for (int j = 0; j < L::K; ++j) {
      const T w = of_line * row[L::kAlong + lane.group + j];
      for (int c = 0; c < D; ++c)
        sum[j][c] += w * (value[c] + head[L::kSlope + c * D + D - 1] * lane.node_at[j]);
    }
  }
}

// A particle's matrix as such a row.
template <class T, int D, class Kernel>
__device__ void make_matrix_row(const View<T, D>& view, const Mat<T, D>& matrix,
                                const DevicePlace<T, D, Kernel>& place, T* row) {
  using L = ScatterLayout<T, D, Kernel, MatrixRows>;
  const Mat<T, D> slope = matrix * (T(Kernel::kInverseD) * view.inverse_h);
  const Vec<T, D> start = momentum_at_first_node(Vec<T, D>::zero(), slope, place.xi);
  T values[L::kRow];
  for (int i = 0; i < D; ++i) {
    values[i] = start[i];
    for (int j = 0; j < D; ++j) values[L::kSlope + i * D + j] = slope(i, j);
  }
  store_row<L>(values, place, row);
}

// The particles of a set in a block; `block` is none of the occupied ones where there is no work.
template <class T>
struct BlockRange {
  int block;
  std::uint32_t begin = 0, end = 0;
  int base_row = 0;

  template <int D>
  __device__ BlockRange(const View<T, D>& view, const SetView<T>& set) {
    const Control& control = *view.control;
    block = control.occupied - 1 - static_cast<int>(blockIdx.x);
    if (block < 0) return;
    begin = set.begin[control.parity][block];
    end = set.begin[control.parity][block + 1];
    base_row = *set.base_row;
  }
};

// Sums of a block into its arena, beside what sets before this one gave; called by all threads.
template <class T, int D, int Size>
__device__ void begin_arena(const BlockRange<T>& range, bool first, DeviceNode<T>* arenas) {
  if (range.block < 0 || !first || range.begin < range.end) return;
  for (int i = threadIdx.x; i < Size; i += blockDim.x)
    store_node(arenas + std::size_t(range.block) * Size + i, DeviceNode<T>{});
}
template <class T, int Components>
__device__ void add_to_arena(DeviceNode<T>* at, bool first, const T (&total)[Components], int from,
                             int count) {
  DeviceNode<T> node{};
  if (!first) node = load_node(at);
  for (int c = 0; c < count; ++c) node.e[c] += total[from + c];
  store_node(at, node);
}

template <class T, int D>
__device__ void load_neighbors(const View<T, D>& view, int block, std::int32_t* neighbors) {
  constexpr int kNeighbors = BlockShape<D>::kNeighbors;
  if (threadIdx.x < kNeighbors)
    neighbors[threadIdx.x] =
        view.neighbors[view.control->parity][std::size_t(block) * kNeighbors + threadIdx.x];
  __syncthreads();
}
template <class Spread, class T>
__device__ void load_field(const std::int32_t* neighbors, const DeviceNode<T>* field,
                           DeviceNode<T>* nodes) {
  Spread::for_each_node(neighbors, [&](int at, std::size_t node) {
    store_node(nodes + at, load_node(field + node));
  });
}

template <class T, int D>
__device__ Vec<T, D> load_position(const ParticleWords<T>& particle) {
  Vec<T, D> position;
  for (int a = 0; a < D; ++a) position[a] = particle[CommonColumns<D>::kPosition + a];
  return position;
}

// MLS.
template <class T, int D, class Kernel>
struct MlsRates {
  using Spread = GatherSpread<D, Kernel>;

  __device__ static Mat<T, D> at(const View<T, D>& view, const DeviceNode<T>* nodes,
                                 const DevicePlace<T, D, Kernel>& place) {
    const Gathered<T, D> sum =
        gather_axis<0, T, D, Kernel>(place, nodes + place.template first_node<Spread>());
    Mat<T, D> rate;
    for (int k = 0; k < D * D; ++k) rate(k / D, k % D) = mls_rate(view, place, sum, k / D, k % D);
    return rate;
  }
};

// All others, node by node; `own`: the velocity that those of the nodes are relative to.
template <class T, int D, class Kernel>
struct ClassicRates {
  using Spread = PlainArena<D, Kernel>;

  __device__ static Mat<T, D> at(const View<T, D>& view, const DeviceNode<T>* nodes,
                                 const Stencil1<T, D, Kernel>& stencil, const Vec<T, D>& own) {
    Mat<T, D> sum = Mat<T, D>::zero();
    stencil.for_each_node([&](int offset, T, const Vec<T, D>& g, const Vec<T, D>&) {
      const DeviceNode<T> node = load_node(nodes + stencil.index + offset);
      for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) sum(i, j) += (node.e[i] - own[i]) * g[j];
    });
    return sum * view.inverse_h;
  }
};

// The gradients of a field at the particles of a set, into columns.
template <class T, int D, class Kernel, bool Mls>
__global__ void __launch_bounds__(kGatherThreads)
    rates_kernel(const __grid_constant__ View<T, D> view, const __grid_constant__ SetView<T> set,
                 const DeviceNode<T>* field, bool relative, ParticleColumns<T> rates) {
  using Rates = std::conditional_t<Mls, MlsRates<T, D, Kernel>, ClassicRates<T, D, Kernel>>;
  using C = CommonColumns<D>;
  __shared__ __align__(16) unsigned char memory[Rates::Spread::kSize * sizeof(DeviceNode<T>)];
  __shared__ std::int32_t neighbors[BlockShape<D>::kNeighbors];
  auto* nodes = reinterpret_cast<DeviceNode<T>*>(memory);
  const BlockRange<T> range(view, set);
  if (range.block < 0 || range.begin == range.end) return;
  load_neighbors(view, range.block, neighbors);
  load_field<typename Rates::Spread>(neighbors, field, nodes);
  __syncthreads();
  for (std::uint32_t p = range.begin + threadIdx.x; p < range.end; p += kGatherThreads) {
    const ParticleWords<T> particle(set, range.base_row, p);
    const Vec<T, D> position = load_position<T, D>(particle);
    Mat<T, D> rate;
    if constexpr (Mls) {
      rate = Rates::at(view, nodes, DevicePlace<T, D, Kernel>(position));
    } else {
      Vec<T, D> own = Vec<T, D>::zero();
      for (int a = 0; a < D && relative; ++a) own[a] = particle[C::kVelocity + a];
      rate = Rates::at(view, nodes, Stencil1<T, D, Kernel>(position), own);
    }
    for (int k = 0; k < D * D; ++k) rates.at(k, p) = rate(k / D, k % D);
  }
}

template <class T, int D, class Kernel>
struct MlsMapLayout : FixedLayout<T, D, Kernel, MatrixRows> {
  using Base = FixedLayout<T, D, Kernel, MatrixRows>;
  static constexpr std::size_t kNodesBytes =
      MlsRates<T, D, Kernel>::Spread::kSize * sizeof(DeviceNode<T>);
  static constexpr std::size_t kBytes = kNodesBytes + Base::kBytes;
};

// `stop`: where it is set there is nothing to do any more; null: never.
template <class T, int D, class Kernel, class Map>
__global__ void __launch_bounds__(kScatterThreads, sizeof(T) == 4 ? 2 : 1)
    map_mls_kernel(const __grid_constant__ View<T, D> view, const __grid_constant__ SetView<T> set,
                   const DeviceNode<T>* field, Map map, bool first, const std::int32_t* stop) {
  using L = MlsMapLayout<T, D, Kernel>;
  using A = Arena<D, Kernel>;
  using Rates = MlsRates<T, D, Kernel>;
  constexpr int kRound = L::Sums::kBytes / (L::Sums::kStride * sizeof(T));
  constexpr int kWarps = kScatterThreads / 32;
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ CellList<kScatterThreads, D, Kernel> list;
  __shared__ std::int32_t neighbors[BlockShape<D>::kNeighbors];
  auto* nodes = reinterpret_cast<DeviceNode<T>*>(memory);
  T* rows = reinterpret_cast<T*>(memory + L::kNodesBytes);
  T* sums = rows + L::kRows;
  if (stop && *stop) return;
  const BlockRange<T> range(view, set);
  begin_arena<T, D, A::kSize>(range, first, view.arenas);
  if (range.block < 0 || range.begin == range.end) return;
  if constexpr (Map::kGathers) {
    load_neighbors(view, range.block, neighbors);
    load_field<typename Rates::Spread>(neighbors, field, nodes);
  }
  const int thread = threadIdx.x;
  const CellLane<T, D, Kernel> lane;
  typename L::Sums totals;
  for (std::uint32_t chunk = range.begin; chunk < range.end; chunk += kScatterThreads) {
    const std::uint32_t p = chunk + thread;
    const bool mine = p < range.end;
    const ParticleWords<T> particle(set, range.base_row, mine ? p : range.begin);
    const DevicePlace<T, D, Kernel> place(load_position<T, D>(particle));
    int cell = 0, busy_cells;
    for (int a = 0; a < D; ++a) cell = cell * A::kCells + place.cell[a];
    const int row = list.add(cell, mine, busy_cells);  // the field has arrived after it
    if (mine) {
      Mat<T, D> rate = Mat<T, D>::zero();
      if constexpr (Map::kGathers) rate = Rates::at(view, nodes, place);
      make_matrix_row(view, Map::apply(map.load(p), rate), place, rows + row * L::kRow);
    }
    __syncthreads();
    for (int base = 0; base < busy_cells; base += kRound) {
      for (int i = base + thread / 32; i < min(base + kRound, busy_cells); i += kWarps)
        sum_cell<MatrixRows>(lane, rows, list.busy[i].first, list.busy[i].count,
                             [&](int along, const T(&total)[L::kValues]) {
                               const int node = lane.line * Kernel::kNodes + along;
                               L::Sums::put(sums, i - base, node, total);
                             });
      __syncthreads();
      totals.take(sums, list, base, busy_cells);
      __syncthreads();
    }
  }
  DeviceNode<T>* arena = view.arenas + std::size_t(range.block) * A::kSize;
  totals.for_each_node(
      [&](int at, const T(&total)[L::kValues]) { add_to_arena(arena + at, first, total, 0, D); });
}

// What a chunk of particles gives to the nodes of its cells, node by node: rows in the order of
// cells, and sums of cells. Row has the stencil of its particle.
template <class T, int D, class Kernel, class Row, int Components>
struct ClassicMapLayout {
  using A = Arena<D, Kernel>;
  static constexpr int kRound = Kernel::kNodes == 4 ? 16 : 32;
  using Sums = CellSums<T, D, Kernel, Components, kClassicThreads, kRound>;
  static constexpr std::size_t kNodesBytes = A::kSize * sizeof(DeviceNode<T>);
  static constexpr std::size_t kRowsBytes = (kClassicThreads * sizeof(Row) + 15) / 16 * 16;
  static constexpr std::size_t kBytes = kNodesBytes + kRowsBytes + Sums::kBytes;
};

// give(row, number of the node in its cell, sum) adds what a row gives to a node.
template <class L, int K, int D, class Row, class T, class List, class Give>
__device__ void sum_rows(const Row* rows, T* sums, const List& list, int busy_cells,
                         typename L::Sums& totals, const Give& give) {
  constexpr int kWarps = kClassicThreads / 32;
  for (int base = 0; base < busy_cells; base += L::kRound) {
    for (int i = base + threadIdx.x / 32; i < min(base + L::kRound, busy_cells); i += kWarps)
      for (int node = threadIdx.x % 32; node < power(K, D); node += 32) {
        Vec<int, D> k;
        for (int a = D - 1, rest = node; a >= 0; --a, rest /= K) k[a] = rest % K;
        T sum[sizeof(totals.total[0]) / sizeof(T)] = {};
#pragma unroll 1
        for (int r = 0; r < list.busy[i].count; ++r) give(rows[list.busy[i].first + r], k, sum);
        L::Sums::put(sums, i - base, node, sum);
      }
    __syncthreads();
    totals.take(sums, list, base, busy_cells);
    __syncthreads();
  }
}

template <class T, int D, class Kernel>
struct MatrixRow {
  Mat<T, D> matrix;
  Stencil1<T, D, Kernel> stencil;
};

template <class T, int D, class Kernel, class Map>
__global__ void __launch_bounds__(kClassicThreads)
    map_classic_kernel(const __grid_constant__ View<T, D> view,
                       const __grid_constant__ SetView<T> set, const DeviceNode<T>* field, Map map,
                       bool first, const std::int32_t* stop) {
  using A = Arena<D, Kernel>;
  using Row = MatrixRow<T, D, Kernel>;
  using L = ClassicMapLayout<T, D, Kernel, Row, D>;
  using Rates = ClassicRates<T, D, Kernel>;
  extern __shared__ __align__(16) unsigned char memory[];
  __shared__ CellList<kClassicThreads, D, Kernel> list;
  __shared__ std::int32_t neighbors[BlockShape<D>::kNeighbors];
  auto* nodes = reinterpret_cast<DeviceNode<T>*>(memory);
  auto* rows = reinterpret_cast<Row*>(memory + L::kNodesBytes);
  T* sums = reinterpret_cast<T*>(memory + L::kNodesBytes + L::kRowsBytes);
  if (stop && *stop) return;
  const BlockRange<T> range(view, set);
  begin_arena<T, D, A::kSize>(range, first, view.arenas);
  if (range.block < 0 || range.begin == range.end) return;
  if constexpr (Map::kGathers) {
    load_neighbors(view, range.block, neighbors);
    load_field<typename Rates::Spread>(neighbors, field, nodes);
  }
  typename L::Sums totals;
  for (std::uint32_t chunk = range.begin; chunk < range.end; chunk += kClassicThreads) {
    const std::uint32_t p = chunk + threadIdx.x;
    const bool mine = p < range.end;
    const ParticleWords<T> particle(set, range.base_row, mine ? p : range.begin);
    const Stencil1<T, D, Kernel> stencil(load_position<T, D>(particle));
    int cell = 0, busy_cells;
    for (int a = 0; a < D; ++a) cell = cell * A::kCells + stencil.cell[a];
    const int row = list.add(cell, mine, busy_cells);  // the field has arrived after it
    if (mine) {
      Mat<T, D> rate = Mat<T, D>::zero();
      if constexpr (Map::kGathers) rate = Rates::at(view, nodes, stencil, Vec<T, D>::zero());
      rows[row] = {Map::apply(map.load(p), rate), stencil};
    }
    __syncthreads();
    sum_rows<L, Kernel::kNodes, D>(rows, sums, list, busy_cells, totals,
                                   [&](const Row& from, const Vec<int, D>& k, T(&sum)[D]) {
                                     T w;
                                     Vec<T, D> g, d;
                                     from.stencil.at_node(k, w, g, d);
                                     const Vec<T, D> push = from.matrix * (g * view.inverse_h);
                                     for (int i = 0; i < D; ++i) sum[i] += push[i];
                                   });
  }
  DeviceNode<T>* arena = view.arenas + std::size_t(range.block) * A::kSize;
  totals.for_each_node(
      [&](int at, const T(&total)[D]) { add_to_arena(arena + at, first, total, 0, D); });
}

}  // namespace firn
