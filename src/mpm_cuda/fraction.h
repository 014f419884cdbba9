// phi, the share of the pores that fluids fill (mpm/porous_node.h), told to particles at the
// beginning of some steps. Nodes keep it where velocities are otherwise.
#pragma once

#include "mpm_cuda/matter.h"

namespace firn {

// Of all species at once.
struct FractionRows : MasslessRows {
  static constexpr int kFluid = 0, kSolid = 1;
  template <int D>
  static constexpr int kValues = 3;  // and grains
  static constexpr bool kSlopes = false;
  static constexpr int kGroups = 5;

  template <class T>
  __device__ static bool takes(const SetView<T>& set) {
    return set.is_porous_fluid || set.is_porous_solid;
  }
  template <class T, int D, class Kernel>
  __device__ static void make(const View<T, D>& view, const SetView<T>& set,
                              const ParticleWords<T>& particle, T,
                              const DevicePlace<T, D, Kernel>& place, T* row) {
    using L = ScatterLayout<T, D, Kernel, FractionRows>;
    const LaidMatter<T> laid = laid_by<T, D>(view, set, particle);
    T values[L::kRow];
    values[kFluid] = set.is_porous_fluid ? laid.grains : T(0);
    values[kSolid] = laid.bulk;
    values[L::kMass] = set.is_porous_fluid ? T(0) : laid.grains;
    store_row<L>(values, place, row);
  }
  template <class T, int D>
  __device__ static void prefetch(const SetView<T>& set, int base_row, std::uint32_t first,
                                  std::uint32_t end, int tile) {
    MatterRows::prefetch<T, D>(set, base_row, first, end, tile);
  }
};

// One node a thread. Leaves the momentum zero for the next scatter. What was due at the beginning
// of the step is done.
template <class T, int D>
__global__ void __launch_bounds__(kGridThreads)
    fraction_grid_kernel(const __grid_constant__ View<T, D> view) {
  const std::size_t i = std::size_t(blockIdx.x) * kGridThreads + threadIdx.x;
  if (i == 0) view.control->vary_due = view.control->fraction_due = 0;
  if (i >= std::size_t(view.control->blocks) * BlockShape<D>::kNodes) return;
  const DeviceNode<T> node = load_node(view.momentum + i);
  store_node(view.momentum + i, {{T(0), T(0), T(0), T(0)}});
  const PorousSettings& porous = *view.porous;
  const T solid = node.e[FractionRows::kSolid];
  const T phi =
      filled_share(porous.fraction, solid > T(0), pores_of(porous, solid, node.e[kMassLane]),
                   node.e[FractionRows::kFluid]);
  store_node(view.velocity + i, {{phi, T(0), T(0), T(0)}});
}

// Sum of the first lane over the axes A, A + 1, ... of a particle's nodes from `node` on.
template <int A, class T, int D, class Kernel>
__device__ __forceinline__ T gather_fraction(const DevicePlace<T, D, Kernel>& place,
                                             const DeviceNode<T>* node) {
  T sum(0);
#pragma unroll
  for (int k = 0; k < Kernel::kNodes; ++k) {
    if constexpr (A == D - 1)
      sum += place.weight[A][k] * node[k].e[0];
    else
      sum += place.weight[A][k] * gather_fraction<A + 1, T, D, Kernel>(
                                      place, node + k * GatherSpread<D, Kernel>::stride(A));
  }
  return sum;
}

template <class T, int D, class Kernel>
__global__ void __launch_bounds__(kGatherThreads)
    fraction_gather_kernel(const __grid_constant__ View<T, D> view) {
  using Spread = GatherSpread<D, Kernel>;
  using Place = DevicePlace<T, D, Kernel>;
  __shared__ DeviceNode<T> arena[Spread::kSize];
  const Control& control = *view.control;
  const int block = blockIdx.x, parity = control.parity;
  if (block >= control.occupied) return;
  load_found<T, D, Kernel>(view, block, parity, arena);
  for (int s = 0; s < view.set_count; ++s) {
    const SetView<T>& set = view.sets[s];
    if (set.phi < 0) continue;
    for_places<Place>(
        view, set, block, parity, [&](const ParticleWords<T>& particle, const Place& place) {
          const T phi =
              gather_fraction<0, T, D, Kernel>(place, arena + place.template first_node<Spread>());
          particle[set.phi] = clamp(phi, T(0), T(1));
        });
  }
}

}  // namespace firn
