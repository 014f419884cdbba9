// The flow of a mixture (mpm/porous_stages.h): the flux of all species at the nodes, and what it
// does to the volume of the fluid's particles.
#pragma once

#include <type_traits>

#include "mpm_cuda/exchange.h"
#include "mpm_cuda/gather_gradient.h"
#include "mpm_cuda/volume.h"

namespace firn {

// Flux and porosity, in the place of the fluid's matter, which has done its work. One node a
// thread.
template <class T, int D>
__global__ void __launch_bounds__(kExchangeThreads)
    flow_kernel(const __grid_constant__ View<T, D> view,
                const __grid_constant__ SharedNodes<T> nodes, int fluid) {
  const std::size_t i = std::size_t(blockIdx.x) * kExchangeThreads + threadIdx.x;
  if (i >= std::size_t(view.control->blocks) * BlockShape<D>::kNodes) return;
  const PorousSettings& porous = *view.porous;
  const DeviceNode<T> carried = load_node(nodes.velocity[fluid] + i);
  const T filled = load_node(nodes.matter[fluid] + i).e[kFluidVolume];
  DeviceNode<T> flow{{T(0), T(0), T(0), T(0)}};
  T porosity = T(1);
  for (int s = 0; s < nodes.species; ++s) {
    if (!porous.is_solid[s]) continue;
    const DeviceNode<T> solid = load_node(nodes.velocity[s] + i);
    if (!(solid.e[kMassLane] > T(0))) continue;
    const DeviceNode<T> matter = load_node(nodes.matter[s] + i);
    const T share = solid_flow(porous, matter.e[kBulk], matter.e[kGrains], filled, porosity);
    for (int a = 0; a < D; ++a) flow.e[a] += solid.e[a] * share;
    porosity -= share;
  }
  for (int a = 0; a < D; ++a) flow.e[a] += carried.e[a] * porosity;
  flow.e[kMassLane] = porosity;
  store_node(nodes.matter[fluid] + i, flow);
}

// The linear kernel has gradients, the others moments (mpm/mls_particle.h).
template <class Kernel>
constexpr bool kFlowByGradient = Kernel::kInverseD == 0.0;
template <class T, int D, class Kernel>
using FlowPlace = std::conditional_t<kFlowByGradient<Kernel>, GradientPlace<T, D, Kernel>,
                                     DevicePlace<T, D, Kernel>>;

// Sums over the nodes of a particle: flux and porosity, and of each component of the flux what its
// derivative along its own axis needs.
template <class T, int D>
struct GatheredFlow {
  Vec<T, D> value = Vec<T, D>::zero(), slope = value;
  T porosity = 0;
};

template <class T, int D, class Kernel>
__device__ __forceinline__ T slope_weight(const FlowPlace<T, D, Kernel>& place, int axis, int k) {
  if constexpr (kFlowByGradient<Kernel>)
    return place.gradient[axis][k];
  else
    return T(k - 1) * place.weight[axis][k];
}

// Over the axes A, A + 1, ... of the stencil from `node` on.
template <int A, class T, int D, class Kernel>
__device__ __forceinline__ GatheredFlow<T, D> gather_flow(const FlowPlace<T, D, Kernel>& place,
                                                          const DeviceNode<T>* node) {
  GatheredFlow<T, D> sum;
#pragma unroll
  for (int k = 0; k < Kernel::kNodes; ++k) {
    const T w = place.weight[A][k];
    GatheredFlow<T, D> inner;
    if constexpr (A == D - 1) {
      const DeviceNode<T> at = load_node(node + k);
      for (int i = 0; i < D; ++i) inner.value[i] = at.e[i];
      inner.porosity = at.e[kMassLane];
    } else {
      inner =
          gather_flow<A + 1, T, D, Kernel>(place, node + k * GatherSpread<D, Kernel>::stride(A));
    }
    sum.value += inner.value * w;
    sum.porosity += w * inner.porosity;
    sum.slope[A] += slope_weight<T, D, Kernel>(place, A, k) * inner.value[A];
    for (int j = A + 1; j < D; ++j) sum.slope[j] += w * inner.slope[j];
  }
  return sum;
}

template <class T, int D, class Kernel>
__device__ T flow_divergence(const View<T, D>& view, const FlowPlace<T, D, Kernel>& place,
                             const GatheredFlow<T, D>& sum) {
  T divergence(0);
  for (int a = 0; a < D; ++a) {
    if constexpr (kFlowByGradient<Kernel>)
      divergence += sum.slope[a] * view.inverse_h;
    else
      divergence += gradient_entry(T(Kernel::kInverseD) * view.inverse_h, sum.slope[a],
                                   place.xi[a] - T(1), sum.value[a]);
  }
  return divergence;
}

// The flow is where the view has velocities; its sets are those of the fluid.
template <class T, int D, class Kernel>
__global__ void __launch_bounds__(kGatherThreads)
    flow_gather_kernel(const __grid_constant__ View<T, D> view) {
  using Spread = GatherSpread<D, Kernel>;
  using Place = FlowPlace<T, D, Kernel>;
  __shared__ DeviceNode<T> arena[Spread::kSize];
  const Control& control = *view.control;
  const int block = blockIdx.x, parity = control.parity;
  if (block >= control.occupied || !holds_particles(view, block, parity)) return;
  load_found<T, D, Kernel>(view, block, parity, arena);
  for (int s = 0; s < view.set_count; ++s) {
    const SetView<T>& set = view.sets[s];
    if (set.swelling < 0) continue;
    for_places<Place>(
        view, set, block, parity, [&](const ParticleWords<T>& particle, const Place& place) {
          const GatheredFlow<T, D> sum =
              gather_flow<0, T, D, Kernel>(place, arena + place.template first_node<Spread>());
          const FlowTold<T> told =
              told_by_flow(flow_divergence<T, D, Kernel>(view, place, sum), sum.porosity,
                           initial_volume(set, particle), T(control.dt));
          particle[set.swelling] = told.swelling;
          particle[set.room] = told.room;
        });
  }
}

}  // namespace firn
