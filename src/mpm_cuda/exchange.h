// Momentum that species exchange at the nodes that they share (mpm/momentum_exchange.h), once all
// of them have velocities and before any meets obstacles. FLIP needs no more than that: particles
// take the difference to the velocities before the step.
#pragma once

#include "mpm/momentum_exchange.h"
#include "mpm_cuda/device_tools.h"
#include "mpm_cuda/species_views.h"

namespace firn {

constexpr int kExchangeThreads = 256;

// Velocities and masses of the nodes, by species.
template <class T>
struct SharedNodes {
  DeviceNode<T>* velocity[kMostSpecies] = {};
  int species = 0;
};
template <class T, int D>
SharedNodes<T> shared_nodes(const SpeciesViews<T, D>& views) {
  SharedNodes<T> nodes;
  for (const View<T, D>& view : views.of) nodes.velocity[nodes.species++] = view.velocity;
  return nodes;
}

// m^D, as the CPU has it.
template <class T, int D>
__device__ T cell_volume(const View<T, D>& view) {
  return D == 3 ? view.h * view.h * view.h : view.h * view.h;
}

// Two species, in the order of the pair: the solid is number 0 here, and the fluid 1. What a thread
// knows of its node then stays in registers. One node a thread.
template <class T, int D>
__global__ void __launch_bounds__(kExchangeThreads)
    exchange_pair_kernel(const __grid_constant__ View<T, D> view,
                         const __grid_constant__ SharedNodes<T> nodes, PairSettings pair) {
  const Control& control = *view.control;
  const std::size_t i = std::size_t(blockIdx.x) * kExchangeThreads + threadIdx.x;
  if (i >= std::size_t(control.blocks) * BlockShape<D>::kNodes) return;
  DeviceNode<T> solid = load_node(nodes.velocity[0] + i), fluid = load_node(nodes.velocity[1] + i);
  if (!(solid.e[kMassLane] > T(0)) || !(fluid.e[kMassLane] > T(0))) return;
  pair.solid = 0;
  pair.fluid = 1;
  NodeMatter<T> at;
  at.mass[0] = solid.e[kMassLane];
  at.mass[1] = fluid.e[kMassLane];
  Vec<T, D> u = velocity_of<T, D>(solid), v = velocity_of<T, D>(fluid);
  exchange_in_pair<T, D>(*view.porous, pair, T(control.dt), cell_volume(view), at, at.mass[0], u,
                         at.mass[1], v);
  set_velocity(u, solid);
  set_velocity(v, fluid);
  store_node(nodes.velocity[0] + i, solid);
  store_node(nodes.velocity[1] + i, fluid);
}

// Any number of species. One node a thread.
template <class T, int D>
__global__ void __launch_bounds__(kExchangeThreads)
    exchange_kernel(const __grid_constant__ View<T, D> view,
                    const __grid_constant__ SharedNodes<T> nodes) {
  const Control& control = *view.control;
  const std::size_t i = std::size_t(blockIdx.x) * kExchangeThreads + threadIdx.x;
  if (i >= std::size_t(control.blocks) * BlockShape<D>::kNodes) return;
  NodeMatter<T> at;
  Vec<T, D> velocity[kMostSpecies];
  int present = 0;
  for (int s = 0; s < nodes.species; ++s) {
    const DeviceNode<T> node = load_node(nodes.velocity[s] + i);
    at.mass[s] = node.e[kMassLane];
    velocity[s] = velocity_of<T, D>(node);
    present += at.mass[s] > T(0);
  }
  if (present < 2) return;
  exchange_at_node<T, D>(*view.porous, T(control.dt), cell_volume(view), at, velocity);
  for (int s = 0; s < nodes.species; ++s) {
    DeviceNode<T> node{{T(0), T(0), T(0), at.mass[s]}};
    set_velocity(velocity[s], node);
    if (at.mass[s] > T(0)) store_node(nodes.velocity[s] + i, node);
  }
}

}  // namespace firn
