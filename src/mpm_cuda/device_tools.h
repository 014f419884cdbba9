// Small device functions that kernels share.
#pragma once

#include "cuda/warp.h"
#include "mpm_cuda/view.h"

namespace firn {

// One particle of a set whose columns begin at row `base_row` of their tiles.
template <class T>
struct ParticleWords {
  T* first;

  __device__ ParticleWords(const SetView<T>& set, int base_row, std::uint32_t p)
      : first(set.words + (std::size_t(p / kTile) * set.rows + base_row) * kTile + p % kTile) {}
  __device__ T& operator[](int column) const { return first[column * kTile]; }
};
// Volumes of a particle, m^D: its own, and the one that its stress acts in.
template <class T>
__device__ T initial_volume(const SetView<T>& set, const ParticleWords<T>& particle) {
  return set.volume < 0 ? set.same_volume : particle[set.volume];
}
template <class T>
__device__ T stressed_volume(const SetView<T>& set, const ParticleWords<T>& particle) {
  return set.stressed < 0 ? set.same_volume : particle[set.stressed];
}

// Brings n columns from `column` on of the particles [first, end) into the L2 cache, one tile a
// thread: the tile number `tile` of them.
template <class T>
__device__ inline void prefetch_columns(const SetView<T>& set, int base_row, std::uint32_t first,
                                        std::uint32_t end, int tile, int column, int n) {
#if __CUDA_ARCH__ >= 900
  const std::uint32_t p = (first / kTile + tile) * kTile;
  if (p >= end || n == 0) return;
  const T* at = &ParticleWords<T>(set, base_row, p)[column];
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(__cvta_generic_to_global(at)),
               "r"(static_cast<unsigned>(n * kTile * sizeof(T)))
               : "memory");
#endif
}

// Whether a block holds particles of the view's sets.
template <class T, int D>
__device__ bool holds_particles(const View<T, D>& view, int block, int parity) {
  for (int s = 0; s < view.set_count; ++s)
    if (view.sets[s].begin[parity][block] < view.sets[s].begin[parity][block + 1]) return true;
  return false;
}

// The first spare column.
template <class T>
__device__ inline int spare_column(const SetView<T>& set, int base_row) {
  return base_row == 0 ? set.columns : -kSpare;
}

// Of the positions that a block stores, cells.
template <class T, int D>
__device__ Vec3d block_origin(const View<T, D>& view, int block) {
  Vec3d origin{{0, 0, 0}};
  const BlockCoord<D> coord = view.coord[view.control->parity][block];
  for (int a = 0; a < D; ++a) origin[a] = double(coord[a]) * BlockShape<D>::kEdge + view.shift;
  return origin;
}
// Of a particle of a block, m.
template <class T, int D>
__device__ Vec3d world_position(const View<T, D>& view, const Vec3d& origin,
                                const ParticleWords<T>& particle) {
  Vec3d x{{0, 0, 0}};
  for (int a = 0; a < D; ++a)
    x[a] = wrapped_cells<D>(view.periods[a],
                            origin[a] + double(particle[CommonColumns<D>::kPosition + a])) *
           view.spacing;
  return x;
}

template <class T>
__device__ unsigned long long particle_id(const SetView<T>& set, const ParticleWords<T>& particle) {
  if constexpr (sizeof(T) == 8)
    return static_cast<unsigned long long>(__double_as_longlong(particle[set.id]));
  else
    return static_cast<unsigned long long>(__float_as_uint(particle[set.id])) |
           static_cast<unsigned long long>(__float_as_uint(particle[set.id + 1])) << 32;
}

__device__ inline DeviceNode<float> load_node(const DeviceNode<float>* at) {
  const float4 v = *reinterpret_cast<const float4*>(at);
  return {{v.x, v.y, v.z, v.w}};
}
__device__ inline DeviceNode<double> load_node(const DeviceNode<double>* at) {
  const double2* two = reinterpret_cast<const double2*>(at);
  const double2 a = two[0], b = two[1];
  return {{a.x, a.y, b.x, b.y}};
}
__device__ inline void store_node(DeviceNode<float>* at, const DeviceNode<float>& v) {
  *reinterpret_cast<float4*>(at) = make_float4(v.e[0], v.e[1], v.e[2], v.e[3]);
}
__device__ inline void store_node(DeviceNode<double>* at, const DeviceNode<double>& v) {
  double2* two = reinterpret_cast<double2*>(at);
  two[0] = make_double2(v.e[0], v.e[1]);
  two[1] = make_double2(v.e[2], v.e[3]);
}
template <class T, int D>
__device__ Vec<T, D> velocity_of(const DeviceNode<T>& node) {
  Vec<T, D> v;
  for (int a = 0; a < D; ++a) v[a] = node.e[a];
  return v;
}
template <class T, int D>
__device__ void set_velocity(const Vec<T, D>& v, DeviceNode<T>& node) {
  for (int a = 0; a < D; ++a) node.e[a] = v[a];
}
__device__ inline void add_node(DeviceNode<float>* at, const DeviceNode<float>& v) {
#if __CUDA_ARCH__ >= 900
  atomicAdd(reinterpret_cast<float4*>(at), make_float4(v.e[0], v.e[1], v.e[2], v.e[3]));
#else
  for (int c = 0; c < 4; ++c) atomicAdd(at->e + c, v.e[c]);
#endif
}
__device__ inline void add_node(DeviceNode<double>* at, const DeviceNode<double>& v) {
  for (int c = 0; c < 4; ++c) atomicAdd(at->e + c, v.e[c]);
}

// Along one axis: which neighbour (0, 1, 2) the arena's node `at` belongs to, and its place there.
template <int D>
__device__ inline int neighbor_of_node(int at, int& place) {
  constexpr int kEdge = BlockShape<D>::kEdge, kMargin = BlockShape<D>::kMargin;
  const int from_neighbor = at + kEdge - kMargin;
  place = from_neighbor % kEdge;
  return from_neighbor / kEdge;
}

// Nodes of an arena spread over a shared array with the strides given, so that what a warp asks for
// at once lies in different banks.
template <int D, class Kernel, int FirstStride, int MiddleStride>
struct SpreadArena {
  using A = Arena<D, Kernel>;
  static constexpr int kSize = A::kWidth * FirstStride;
  static_assert(D == 3 ? FirstStride >= MiddleStride * A::kWidth && MiddleStride >= A::kWidth
                       : FirstStride >= A::kWidth);

  __device__ static constexpr int stride(int axis) {
    return axis == D - 1 ? 1 : axis == 0 ? FirstStride : MiddleStride;
  }
  // Calls f(place in the shared array, number of the node in the grid) for the i-th node.
  template <class F>
  __device__ static void with_node(const std::int32_t* neighbors, int i, F&& f) {
    constexpr int kEdge = BlockShape<D>::kEdge;
    int rest = i, code = 0, node = 0, spread = 0, scale_code = 1, scale_node = 1;
    for (int a = D - 1; a >= 0; --a) {
      const int at = rest % A::kWidth;
      rest /= A::kWidth;
      int place;
      code += neighbor_of_node<D>(at, place) * scale_code;
      node += place * scale_node;
      spread += at * stride(a);
      scale_code *= 3;
      scale_node *= kEdge;
    }
    f(spread, std::size_t(neighbors[code]) * BlockShape<D>::kNodes + node);
  }
  // The same for all nodes, one a thread.
  template <class F>
  __device__ static void for_each_node(const std::int32_t* neighbors, F&& f) {
    for (int i = threadIdx.x; i < A::kSize; i += blockDim.x) with_node(neighbors, i, f);
  }
  // Copies the nodes of the grid into the array; all are asked for before the first is stored.
  template <int Threads, class T>
  __device__ static void load(const std::int32_t* neighbors, const DeviceNode<T>* grid,
                              DeviceNode<T>* array) {
    constexpr int kRounds = (A::kSize + Threads - 1) / Threads;
    DeviceNode<T> value[kRounds];
    int at[kRounds];
#pragma unroll
    for (int r = 0; r < kRounds; ++r) {
      const int i = min(int(threadIdx.x) + r * Threads, A::kSize - 1);
      with_node(neighbors, i, [&](int spread, std::size_t node) {
        at[r] = spread;
        value[r] = load_node(grid + node);
      });
    }
#pragma unroll
    for (int r = 0; r < kRounds; ++r) store_node(array + at[r], value[r]);
  }
};

// Where a particle sits in an arena: its first node, the place in the cell, and its weights.
template <class T, int D, class Kernel>
struct DevicePlace {
  int cell[D];   // from the arena's first cell
  Vec<T, D> xi;  // from the first node, cells
  T weight[D][Kernel::kNodes];

  __device__ explicit DevicePlace(const Vec<T, D>& position) {
    using A = Arena<D, Kernel>;
    for (int a = 0; a < D; ++a) {
      // In a run that blows up positions may be anything, NaN included; the arena is not left.
      const T low = T(-A::kMargin), high = T(A::kCells - 1 - A::kMargin);
      const T base = max_of(min_of(floor(position[a]), high), low), f = position[a] - base;
      cell[a] = static_cast<int>(base) + A::kMargin;
      xi[a] = f + T(Kernel::kShift);
      Kernel::weights(f, weight[a]);
    }
  }
  template <class Spread>
  __device__ int first_node() const {
    int at = 0;
    for (int a = 0; a < D; ++a) at += cell[a] * Spread::stride(a);
    return at;
  }
};

}  // namespace firn
