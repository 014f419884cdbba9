// Fluids beside solids (mpm/volume_source.h): a second look after that of cuda/volume.h, which adds
// to the sources of fluids.
#pragma once

#include "mpm_cuda/volume.h"

namespace firn {

struct BesideRows : MasslessRows {
  static constexpr int kPressure = 0, kRate = 1, kSolid = 2;
  template <int D>
  static constexpr int kValues = 4;
  static constexpr bool kSlopes = false;
  static constexpr int kGroups = 4;

  template <class T>
  __device__ static bool takes(const SetView<T>& set) {
    return !set.takes_room && (!is_fluid(set) || set.keeps_volume);
  }
  template <class T, int D, class Kernel>
  __device__ static void make(const View<T, D>& view, const SetView<T>& set,
                              const ParticleWords<T>& particle, T,
                              const DevicePlace<T, D, Kernel>& place, T* row) {
    using L = ScatterLayout<T, D, Kernel, BesideRows>;
    const T cells = view.per_cell * initial_volume(set, particle);
    LaidBeside<T> laid{T(0), T(0), T(0), cells};
    if (is_fluid(set)) {
      const T strain =
          strain_rate(load_matrix<T, D>(particle, CommonColumns<D>::kAffine), view.strain_scale);
      laid = fluid_beside(cells, particle[FluidColumns<D>::kScalar], dilation_of(set, particle),
                          fluid_modulus(set, particle), strain, max_rate_of(view));
    }
    T values[L::kRow];
    values[kPressure] = laid.pressure;
    values[kRate] = laid.rate;
    values[kSolid] = laid.solid;
    values[L::kMass] = laid.weight;
    store_row<L>(values, place, row);
  }
  template <class T, int D>
  __device__ static void prefetch(const SetView<T>& set, int base_row, std::uint32_t first,
                                  std::uint32_t end, int tile) {
    VolumeRows::prefetch<T, D>(set, base_row, first, end, tile);
  }
};

// One node a thread. Leaves the momentum zero for the next scatter.
template <class T, int D>
__global__ void __launch_bounds__(kGridThreads)
    beside_grid_kernel(const __grid_constant__ View<T, D> view) {
  const std::size_t i = std::size_t(blockIdx.x) * kGridThreads + threadIdx.x;
  if (i >= std::size_t(view.control->blocks) * BlockShape<D>::kNodes) return;
  const DeviceNode<T> node = load_node(view.momentum + i);
  store_node(view.momentum + i, {{T(0), T(0), T(0), T(0)}});
  const NodeBeside<T> found =
      node_beside<T>({node.e[kMassLane], node.e[BesideRows::kPressure], node.e[BesideRows::kRate],
                      node.e[BesideRows::kSolid]});
  store_node(view.velocity + i, {{found.rate, found.pressure, T(0), T(0)}});
}

// Sums of both over the axes A, A + 1, ... of a particle's nodes from `node` on.
template <int A, class T, int D, class Kernel>
__device__ __forceinline__ NodeBeside<T> gather_beside(const DevicePlace<T, D, Kernel>& place,
                                                       const DeviceNode<T>* node) {
  NodeBeside<T> sum{T(0), T(0)};
#pragma unroll
  for (int k = 0; k < Kernel::kNodes; ++k) {
    NodeBeside<T> part;
    if constexpr (A == D - 1) {
      const DeviceNode<T> v = load_node(node + k);
      part = {v.e[0], v.e[1]};
    } else {
      part =
          gather_beside<A + 1, T, D, Kernel>(place, node + k * GatherSpread<D, Kernel>::stride(A));
    }
    sum.rate += place.weight[A][k] * part.rate;
    sum.pressure += place.weight[A][k] * part.pressure;
  }
  return sum;
}

template <class T, int D, class Kernel>
__global__ void __launch_bounds__(kGatherThreads)
    beside_gather_kernel(const __grid_constant__ View<T, D> view) {
  using Spread = GatherSpread<D, Kernel>;
  using Place = DevicePlace<T, D, Kernel>;
  __shared__ DeviceNode<T> arena[Spread::kSize];
  const Control& control = *view.control;
  const int block = blockIdx.x, parity = control.parity;
  if (block >= control.occupied) return;
  load_found<T, D, Kernel>(view, block, parity, arena);
  for (int s = 0; s < view.set_count; ++s) {
    const SetView<T>& set = view.sets[s];
    if (!is_fluid(set) || !set.keeps_volume) continue;
    for_places<Place>(
        view, set, block, parity, [&](const ParticleWords<T>& particle, const Place& place) {
          const NodeBeside<T> found =
              gather_beside<0, T, D, Kernel>(place, arena + place.template first_node<Spread>());
          particle[set.source] =
              load_now(&particle[set.source]) +
              source_beside<T>(particle[FluidColumns<D>::kScalar], dilation_of(set, particle),
                               fluid_modulus(set, particle), found.rate, found.pressure);
        });
  }
}

}  // namespace firn
