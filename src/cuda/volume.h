// The volume correction of fluids (mpm/fluid_volume.h): particles lay their volumes on the nodes,
// nodes compare them with the room, and particles take up what their nodes found.
#pragma once

#include "cuda/gather.h"
#include "cuda/grid.h"
#include "cuda/scatter.h"
#include "mpm/volume_source.h"

namespace firn {

template <int D>
using FluidColumns = ModelColumns<Fluid, D>;

template <class T>
__device__ T fluid_modulus(const SetView<T>& set, const ParticleWords<T>& particle) {
  return set.bulk_modulus * (set.stiffness < 0 ? set.same_stiffness : particle[set.stiffness]);
}

// Claimed volume and pressure where momentum is otherwise, the reference in place of mass.
struct VolumeRows {
  static constexpr bool kReadsAll = false;
  static constexpr int kClaimed = 0, kPressure = 1;

  template <class T>
  __device__ static bool takes(const SetView<T>& set) {
    return set.bulk_modulus > T(0);
  }
  template <class T, int D, class Kernel>
  __device__ static void make(const View<T, D>& view, const SetView<T>& set,
                              const ParticleWords<T>& particle, T,
                              const DevicePlace<T, D, Kernel>& place, T* row) {
    using L = ScatterLayout<T, D, Kernel>;
    const T volume = set.volume < 0 ? set.same_volume : particle[set.volume];
    const LaidVolume<T> laid = laid_volume(
        volume * view.per_cell, particle[FluidColumns<D>::kScalar], fluid_modulus(set, particle));
    T values[L::kRow];
    for (int k = 0; k < L::kWeights; ++k) values[k] = T(0);
    values[kClaimed] = laid.claimed;
    values[kPressure] = laid.pressure;
    values[L::kMass] = laid.reference;
    store_row<T, D, Kernel>(values, place, row);
  }
};

// One node a thread. What is found lies where velocities are otherwise: excess, pressure, fill.
template <class T, int D>
__global__ void __launch_bounds__(kGridThreads)
    volume_grid_kernel(const __grid_constant__ View<T, D> view, KernelKind kernel) {
  constexpr int kNodes = BlockShape<D>::kNodes;
  const Control& control = *view.control;
  const std::size_t i = std::size_t(blockIdx.x) * kGridThreads + threadIdx.x;
  if (i >= std::size_t(control.blocks) * kNodes) return;
  const DeviceNode<T> node = load_node(view.momentum + i);
  const T reference = node.e[kMassLane];
  DeviceNode<T> result{{T(0), T(0), T(0), T(0)}};
  store_node(view.momentum + i, result);
  if (reference > T(0)) {
    const int slot = static_cast<int>(i / kNodes);
    const int near = view.collider_count > 0 ? view.near_nodes.count[slot] : 0;
    T room(1);
    if (near > 0) {
      const Vec3d x = node_position<D>(view.coord[control.parity][slot],
                                       static_cast<int>(i % kNodes), view.spacing);
      const int* list = view.near_nodes.list + std::size_t(slot) * view.collider_count;
      room = T(open_fraction<D>(x, view.spacing, kernel, view.colliders, list, near));
    }
    const FoundVolume<T> found =
        found_volume(node.e[VolumeRows::kClaimed], reference, node.e[VolumeRows::kPressure], room);
    result = {{found.excess, found.pressure, found.fill, T(0)}};
  }
  store_node(view.velocity + i, result);
}

// Means over the nodes of a particle, and the least fill of them.
template <class T, int D, class Kernel>
__device__ FoundVolume<T> gather_volume(const DevicePlace<T, D, Kernel>& place,
                                        const DeviceNode<T>* first) {
  constexpr int K = Kernel::kNodes;
  using Spread = GatherSpread<D, Kernel>;
  FoundVolume<T> sum{T(0), T(0), T(1)};
#pragma unroll 1
  for (int line = 0; line < power(K, D - 1); ++line) {
    T of_line(1);
    const DeviceNode<T>* node = first;
    for (int a = D - 2, rest = line; a >= 0; --a, rest /= K) {
      node += rest % K * Spread::stride(a);
      for (int k = 0; k < K; ++k)  // by a constant index: weights stay in registers
        if (k == rest % K) of_line *= place.weight[a][k];
    }
#pragma unroll
    for (int k = 0; k < K; ++k) {
      const DeviceNode<T> v = load_node(node + k);
      const T w = of_line * place.weight[D - 1][k];
      sum.excess += w * v.e[0];
      sum.pressure += w * v.e[1];
      sum.fill = min_of(sum.fill, v.e[2]);
    }
  }
  return sum;
}

template <class T, int D, class Kernel>
__global__ void __launch_bounds__(kGatherThreads)
    volume_gather_kernel(const __grid_constant__ View<T, D> view, T scale) {
  using Spread = GatherSpread<D, Kernel>;
  using C = FluidColumns<D>;
  constexpr int kNeighbors = BlockShape<D>::kNeighbors;
  __shared__ DeviceNode<T> arena[Spread::kSize];
  __shared__ std::int32_t neighbors[kNeighbors];
  const Control& control = *view.control;
  const int block = blockIdx.x, parity = control.parity;
  if (block >= control.occupied) return;
  if (threadIdx.x < kNeighbors)
    neighbors[threadIdx.x] = view.neighbors[parity][std::size_t(block) * kNeighbors + threadIdx.x];
  __syncthreads();
  Spread::template load<kGatherThreads>(neighbors, view.velocity, arena);
  __syncthreads();
  const T max_rate = T(max_volume_rate(control.last_dt));
  for (int s = 0; s < view.set_count; ++s) {
    const SetView<T>& set = view.sets[s];
    if (!set.keeps_volume) continue;
    const int turn = *set.turn;
    const std::uint32_t end = set.begin[parity][block + 1];
    for (std::uint32_t p = set.begin[parity][block] + threadIdx.x; p < end; p += kGatherThreads) {
      const ParticleWords<T> particle(set, turn, p);
      Vec<T, D> position;
      Mat<T, D> affine;
      for (int i = 0; i < D; ++i) {
        position[i] = particle[C::kPosition + i];
        for (int j = 0; j < D; ++j) affine(i, j) = particle[C::kAffine + i * D + j];
      }
      const DevicePlace<T, D, Kernel> place(position);
      const FoundVolume<T> found =
          gather_volume<T, D, Kernel>(place, arena + place.template first_node<Spread>());
      particle[C::kSource] = volume_source<T>(particle[C::kScalar], fluid_modulus(set, particle),
                                              found, strain_rate(affine, scale), max_rate);
    }
  }
}

}  // namespace firn
