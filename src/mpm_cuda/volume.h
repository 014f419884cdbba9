// The volume correction of fluids (mpm/fluid_volume.h): particles lay their volumes on the nodes,
// nodes compare them with the room, and particles take up what their nodes found.
#pragma once

#include "mpm/fluid_volume.h"
#include "mpm_cuda/gather.h"
#include "mpm_cuda/grid.h"
#include "mpm_cuda/scatter.h"

namespace firn {

template <int D>
using FluidColumns = ModelColumns<Fluid, D>;

template <class T>
__device__ bool is_fluid(const SetView<T>& set) {
  return set.bulk_modulus > T(0);
}
template <class T>
__device__ T fluid_modulus(const SetView<T>& set, const ParticleWords<T>& particle) {
  const T modulus = set.varied_bulk < 0 ? set.bulk_modulus : particle[set.varied_bulk];
  return modulus * (set.stiffness < 0 ? set.same_stiffness : particle[set.stiffness]);
}

template <class T>
__device__ T dilation_of(const SetView<T>& set, const ParticleWords<T>& particle) {
  return set.dilation < 0 ? T(0) : load_now(&particle[set.dilation]);
}
template <class T, int D>
__device__ Mat<T, D> load_matrix(const ParticleWords<T>& particle, int column) {
  Mat<T, D> matrix;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) matrix(i, j) = load_now(&particle[column + i * D + j]);
  return matrix;
}
template <class T, int D>
__device__ T max_rate_of(const View<T, D>& view) {
  return T(max_volume_rate(view.control->clock.last_dt, view.volume_interval));
}
template <class T, int D>
__device__ LaidVolume<T> laid_volume(const View<T, D>& view, const SetView<T>& set,
                                     const ParticleWords<T>& particle) {
  const T cells = view.per_cell * initial_volume(set, particle);
  if (set.takes_room) return {cells * set.grains, T(0), T(0)};
  if (!is_fluid(set))
    return laid_grains(cells,
                       determinant(load_matrix<T, D>(particle, ModelColumns<Sand, D>::kGradient)));
  const T strain =
      strain_rate(load_matrix<T, D>(particle, CommonColumns<D>::kAffine), view.strain_scale);
  return laid_fluid(cells, particle[FluidColumns<D>::kScalar], dilation_of(set, particle),
                    fluid_modulus(set, particle), smoothing_rate(strain, max_rate_of(view)));
}

// Where momentum is otherwise, and the claimed volume, which no node without particles has, in
// place of mass.
struct VolumeRows {
  static constexpr int kWeight = 0, kPressure = 1;
  template <int D>
  static constexpr int kValues = 3;
  static constexpr bool kSlopes = false;
  static constexpr bool kMassMarks = true;
  static constexpr bool kPushesApart = false;
  static constexpr int kGroups = 5;

  template <class T>
  __device__ static bool takes(const SetView<T>& set) {
    return set.source >= 0 || set.takes_room;
  }
  template <class T, int D, class Kernel>
  __device__ static void make(const View<T, D>& view, const SetView<T>& set,
                              const ParticleWords<T>& particle, T,
                              const DevicePlace<T, D, Kernel>& place, T* row) {
    using L = ScatterLayout<T, D, Kernel, VolumeRows>;
    const LaidVolume<T> laid = laid_volume<T, D>(view, set, particle);
    T values[L::kRow];
    values[kWeight] = laid.weight;
    values[kPressure] = laid.pressure;
    values[L::kMass] = laid.claimed;
    store_row<L>(values, place, row);
  }
  template <class T, int D>
  __device__ static void prefetch(const SetView<T>& set, int base_row, std::uint32_t first,
                                  std::uint32_t end, int tile) {
    using C = CommonColumns<D>;
    prefetch_columns(set, base_row, first, end, tile, 0, D);
    const int from = is_fluid(set) ? C::kAffine : C::kEnd;
    prefetch_columns(set, base_row, first, end, tile, from, set.stress - from);
  }
};

// What a node found goes where velocities are otherwise, as NodeVolume has it. Leaves the
// momentum zero for the next scatter.
template <class T, int D>
__device__ void finish_volume(const View<T, D>& view, std::size_t i, const DeviceNode<T>& node,
                              T room) {
  DeviceNode<T> result{{T(0), T(0), T(0), T(0)}};
  store_node(view.momentum + i, result);
  if (node.e[kMassLane] > T(0)) {
    const NodeVolume<T> found = node_volume<T>(
        {node.e[kMassLane], node.e[VolumeRows::kWeight], node.e[VolumeRows::kPressure]}, room);
    result = {{found.excess, found.pressure, found.fill, found.open}};
  }
  store_node(view.velocity + i, result);
}

// Nodes of blocks away from obstacles, one a thread.
template <class T, int D>
__global__ void __launch_bounds__(kGridThreads)
    volume_grid_kernel(const __grid_constant__ View<T, D> view) {
  constexpr int kNodes = BlockShape<D>::kNodes;
  const std::size_t i = std::size_t(blockIdx.x) * kGridThreads + threadIdx.x;
  if (i >= std::size_t(view.control->blocks) * kNodes) return;
  if (view.collider_count > 0 && view.near_nodes.count[i / kNodes] > 0) return;
  finish_volume(view, i, load_node(view.momentum + i), T(1));
}

// The others: one block a thread block, one node a thread.
template <class T, int D, class Obstacles>
__global__ void __launch_bounds__(BlockShape<D>::kNodes)
    volume_contact_kernel(const __grid_constant__ View<T, D> view, KernelKind kernel) {
  const Control& control = *view.control;
  const int blocks = Obstacles::count(*view.near_nodes.listed);
  for (int k = blockIdx.x; k < blocks; k += gridDim.x) {
    const int slot = Obstacles::block(view.near_nodes, k, view.capacity);
    const int* near = view.near_nodes.list + std::size_t(slot) * view.collider_count;
    const std::size_t i = std::size_t(slot) * BlockShape<D>::kNodes + threadIdx.x;
    const DeviceNode<T> node = load_node(view.momentum + i);
    T room(1);
    if (node.e[kMassLane] > T(0)) {
      const Vec3d x = node_position<D>(view.coord[control.parity][slot],
                                       static_cast<int>(threadIdx.x), view.spacing);
      room = T(open_fraction<D>(
          x, view.spacing, kernel, view.colliders, near, view.near_nodes.count[slot],
          [](const Collider& c, const Vec3d& at) { return Obstacles::distance(c, at); }));
    }
    finish_volume(view, i, node, room);
  }
}

// Sums of excess, pressure and fill over the axes A, A + 1, ... of a particle's nodes from `node`
// on, and the least fills of them.
template <int A, class T, int D, class Kernel>
__device__ __forceinline__ FoundVolume<T> gather_volume(const DevicePlace<T, D, Kernel>& place,
                                                        const DeviceNode<T>* node) {
  FoundVolume<T> sum{T(0), T(0), T(0), T(1), T(1)};
#pragma unroll
  for (int k = 0; k < Kernel::kNodes; ++k) {
    FoundVolume<T> part;
    if constexpr (A == D - 1) {
      const DeviceNode<T> v = load_node(node + k);
      part = {v.e[0], v.e[1], v.e[2], v.e[2], v.e[3]};
    } else {
      part =
          gather_volume<A + 1, T, D, Kernel>(place, node + k * GatherSpread<D, Kernel>::stride(A));
    }
    sum.excess += place.weight[A][k] * part.excess;
    sum.pressure += place.weight[A][k] * part.pressure;
    sum.fill += place.weight[A][k] * part.fill;
    sum.least = min_of(sum.least, part.least);
    sum.open = min_of(sum.open, part.open);
  }
  return sum;
}

// What the nodes of a thread block and of its neighbours found, into shared memory.
template <class T, int D, class Kernel>
__device__ __forceinline__ void load_found(const View<T, D>& view, int block, int parity,
                                           DeviceNode<T>* arena) {
  constexpr int kNeighbors = BlockShape<D>::kNeighbors;
  __shared__ std::int32_t neighbors[kNeighbors];
  if (threadIdx.x < kNeighbors)
    neighbors[threadIdx.x] = view.neighbors[parity][std::size_t(block) * kNeighbors + threadIdx.x];
  __syncthreads();
  GatherSpread<D, Kernel>::template load<kGatherThreads>(neighbors, view.velocity, arena);
  __syncthreads();
}

// f(particle, place) for the particles of a set in the thread block's grid block.
template <class Place, class T, int D, class F>
__device__ __forceinline__ void for_places(const View<T, D>& view, const SetView<T>& set, int block,
                                           int parity, F&& f) {
  const int base_row = *set.base_row;
  const std::uint32_t end = set.begin[parity][block + 1];
  for (std::uint32_t p = set.begin[parity][block] + threadIdx.x; p < end; p += kGatherThreads) {
    const ParticleWords<T> particle(set, base_row, p);
    Vec<T, D> position;
    for (int i = 0; i < D; ++i) position[i] = load_now(&particle[CommonColumns<D>::kPosition + i]);
    f(particle, Place(position));
  }
}

template <class T, int D, class Kernel>
__global__ void __launch_bounds__(kGatherThreads, sizeof(T) == 4 ? 7 : 2)
    volume_gather_kernel(const __grid_constant__ View<T, D> view) {
  using Spread = GatherSpread<D, Kernel>;
  using C = CommonColumns<D>;
  __shared__ DeviceNode<T> arena[Spread::kSize];
  const Control& control = *view.control;
  const int block = blockIdx.x, parity = control.parity;
  if (block >= control.occupied) return;
  const T max_rate = max_rate_of(view);
  load_found<T, D, Kernel>(view, block, parity, arena);
  for (int s = 0; s < view.set_count; ++s) {
    const SetView<T>& set = view.sets[s];
    if (!set.keeps_volume) continue;
    const int base_row = *set.base_row;
    const std::uint32_t begin = set.begin[parity][block], end = set.begin[parity][block + 1];
    // What is read of the particles of a round, two rounds ahead.
    const auto prefetch_round = [&](std::uint32_t first) {
      if (threadIdx.x > kGatherThreads / kTile) return;
      const std::uint32_t last = min(end, first + kGatherThreads);
      prefetch_columns(set, base_row, first, last, threadIdx.x, C::kPosition, D);
      prefetch_columns(set, base_row, first, last, threadIdx.x, C::kAffine,
                       set.stress - C::kAffine);
    };
    prefetch_round(begin);
    prefetch_round(begin + kGatherThreads);
    for (std::uint32_t p = begin + threadIdx.x; p < end; p += kGatherThreads) {
      const ParticleWords<T> particle(set, base_row, p);
      prefetch_round(p - threadIdx.x + 2 * kGatherThreads);
      Vec<T, D> position;
      for (int i = 0; i < D; ++i) position[i] = load_now(&particle[C::kPosition + i]);
      const T strain = strain_rate(load_matrix<T, D>(particle, C::kAffine), view.strain_scale);
      const T dilation = dilation_of(set, particle);
      const DevicePlace<T, D, Kernel> place(position);
      const FoundVolume<T> found =
          gather_volume<0, T, D, Kernel>(place, arena + place.template first_node<Spread>());
      particle[set.source] =
          is_fluid(set) ? fluid_source<T>(particle[FluidColumns<D>::kScalar], dilation,
                                          fluid_modulus(set, particle), found, strain, max_rate)
                        : grain_source<T>(dilation, found, strain, max_rate);
    }
  }
}

}  // namespace firn
