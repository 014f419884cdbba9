// Momentum that species exchange at the nodes that they share (mpm/momentum_exchange.h), once all
// of them have velocities and before any meets obstacles; and once more where obstacles then held
// some of them. FLIP needs no more than that: particles
// take the difference to the velocities before the step.
#pragma once

#include "mpm/momentum_exchange.h"
#include "mpm_cuda/contact.h"
#include "mpm_cuda/species_views.h"

namespace firn {

constexpr int kExchangeThreads = 256;

// Velocities and masses of the nodes, by species. Where there are obstacles, also as they were
// after the exchange: of nodes near obstacles that two species or more have mass at. And their
// matter, where something asks for it.
template <class T>
struct SharedNodes {
  DeviceNode<T>* velocity[kMostSpecies] = {};
  DeviceNode<T>* exchanged[kMostSpecies] = {};
  DeviceNode<T>* matter[kMostSpecies] = {};
  MatterOfMass<T> of_mass[kMostSpecies];  // where volumes follow from it
  int species = 0;

  void swap(int a, int b) {
    std::swap(velocity[a], velocity[b]);
    std::swap(exchanged[a], exchanged[b]);
    std::swap(matter[a], matter[b]);
    std::swap(of_mass[a], of_mass[b]);
  }
};
// What of their matter the species must know.
enum class MatterUse { none, volumes, pressure };
template <class T, int D>
SharedNodes<T> shared_nodes(const SpeciesViews<T, D>& views) {
  SharedNodes<T> nodes;
  for (const View<T, D>& view : views.of) {
    nodes.velocity[nodes.species] = view.velocity;
    nodes.matter[nodes.species] = view.matter;
    nodes.of_mass[nodes.species] = view.matter_of_mass;
    nodes.exchanged[nodes.species++] = view.exchanged;
  }
  return nodes;
}
// Whether obstacles may meet node number i.
template <class T, int D>
__device__ bool is_near_obstacles(const View<T, D>& view, std::size_t i) {
  return view.collider_count > 0 && view.near_nodes.count[i / BlockShape<D>::kNodes] > 0;
}

// m^D, as the CPU has it.
template <class T, int D>
__device__ T cell_volume(const View<T, D>& view) {
  return D == 3 ? view.h * view.h * view.h : view.h * view.h;
}

// Before matter is laid. One node a thread.
template <class T, int D>
__global__ void __launch_bounds__(kExchangeThreads)
    clear_matter_kernel(const __grid_constant__ View<T, D> view,
                        const __grid_constant__ SharedNodes<T> nodes) {
  const std::size_t i = std::size_t(blockIdx.x) * kExchangeThreads + threadIdx.x;
  if (i >= std::size_t(view.control->blocks) * BlockShape<D>::kNodes) return;
  for (int s = 0; s < nodes.species; ++s)
    if (nodes.matter[s]) store_node(nodes.matter[s] + i, {{T(0), T(0), T(0), T(0)}});
}

// Of species s, which has this mass there.
template <class T>
__device__ DeviceNode<T> matter_at(const SharedNodes<T>& nodes, int s, std::size_t i, T mass) {
  if (!(nodes.of_mass[s].bulk > T(0))) return load_node(nodes.matter[s] + i);
  DeviceNode<T> known{{T(0), T(0), T(0), T(0)}};
  known.e[kBulk] = mass * nodes.of_mass[s].bulk;
  known.e[kGrains] = mass * nodes.of_mass[s].grains;
  return known;
}

// Two species, in the order of the pair: the solid is number 0 here, and the fluid 1. What a thread
// knows of its node then stays in registers. One node a thread.
template <class T, int D, MatterUse Use>
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
  const bool near = is_near_obstacles(view, i);
  Vec<T, D> u = velocity_of<T, D>(solid), v = velocity_of<T, D>(fluid);
  if constexpr (Use != MatterUse::none) {
    const DeviceNode<T> grains = matter_at(nodes, 0, i, at.mass[0]);
    at.bulk[0] = grains.e[kBulk];
    at.grains[0] = grains.e[kGrains];
    at.bulk[1] = matter_at(nodes, 1, i, at.mass[1]).e[kFluidVolume];
    if constexpr (Use == MatterUse::pressure) {
      const Vec<T, D> impulse = velocity_of<T, D>(load_node(nodes.matter[1] + i));
      const T share = push_grains<T, D>(*view.porous, at, 0, 1, T(0), impulse, u);
      v -= impulse * (share / at.mass[1]);
    }
  }
  exchange_in_pair<T, D>(*view.porous, pair, T(control.dt), cell_volume(view), at, at.mass[0], u,
                         at.mass[1], v);
  set_velocity(u, solid);
  set_velocity(v, fluid);
  store_node(nodes.velocity[0] + i, solid);
  store_node(nodes.velocity[1] + i, fluid);
  if (!near) return;
  store_node(nodes.exchanged[0] + i, solid);
  store_node(nodes.exchanged[1] + i, fluid);
}

// What the species, whose masses are known, have at a node.
template <class T>
__device__ void load_matter(const PorousSettings& porous, const SharedNodes<T>& nodes,
                            std::size_t i, NodeMatter<T>& at) {
  for (int s = 0; s < nodes.species; ++s)
    take_matter(porous, s, matter_at(nodes, s, i, at.mass[s]).e, at);
}

// Any number of species. One node a thread.
template <class T, int D>
__global__ void __launch_bounds__(kExchangeThreads)
    exchange_kernel(const __grid_constant__ View<T, D> view,
                    const __grid_constant__ SharedNodes<T> nodes, MatterUse use) {
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
  const bool near = is_near_obstacles(view, i);
  const auto node_of = [&](int s) {
    DeviceNode<T> node{{T(0), T(0), T(0), at.mass[s]}};
    set_velocity(velocity[s], node);
    return node;
  };
  const PorousSettings& porous = *view.porous;
  if (use != MatterUse::none) load_matter(porous, nodes, i, at);
  for (int f = 0; f < nodes.species && use == MatterUse::pressure; ++f)
    if (porous.is_fluid[f])
      share_pressure<T, D>(porous, at, f, velocity_of<T, D>(load_node(nodes.matter[f] + i)),
                           velocity);
  exchange_at_node<T, D>(porous, T(control.dt), cell_volume(view), at, velocity);
  for (int s = 0; s < nodes.species; ++s) {
    if (at.mass[s] > T(0)) store_node(nodes.velocity[s] + i, node_of(s));
    if (near) store_node(nodes.exchanged[s] + i, node_of(s));
  }
}

// Whether obstacles changed the velocity of a species at a node where there are others.
template <class T, int D>
__device__ bool holds_some(const SharedNodes<T>& nodes, std::size_t i) {
  int present = 0, held = 0;
  for (int s = 0; s < nodes.species; ++s) {
    const DeviceNode<T> node = load_node(nodes.velocity[s] + i);
    if (!(node.e[kMassLane] > T(0))) continue;
    ++present;
    held += !(velocity_of<T, D>(node) == velocity_of<T, D>(load_node(nodes.exchanged[s] + i)));
  }
  return held > 0 && present > 1;
}

// New velocities once obstacles were met; the impulse that all got by it.
template <class T, int D>
__device__ Vec3d exchange_with_held_at(const View<T, D>& view, const SharedNodes<T>& nodes,
                                       std::size_t i) {
  NodeMatter<T> at;
  Vec<T, D> unmet[kMostSpecies], met[kMostSpecies];
  for (int s = 0; s < nodes.species; ++s) {
    const DeviceNode<T> node = load_node(nodes.velocity[s] + i);
    at.mass[s] = node.e[kMassLane];
    met[s] = velocity_of<T, D>(node);
    unmet[s] = velocity_of<T, D>(load_node(nodes.exchanged[s] + i));
  }
  if (view.lays_matter) load_matter(*view.porous, nodes, i, at);
  Vec3d impulse{{0, 0, 0}};
  if (!exchange_with_held<T, D>(*view.porous, T(view.control->dt), cell_volume(view), at, unmet,
                                met))
    return impulse;
  for (int s = 0; s < nodes.species; ++s) {
    if (!(at.mass[s] > T(0))) continue;
    DeviceNode<T> node = load_node(nodes.velocity[s] + i);
    for (int a = 0; a < D; ++a)
      impulse[a] += double(at.mass[s]) * (double(met[s][a]) - double(node.e[a]));
    set_velocity(met[s], node);
    store_node(nodes.velocity[s] + i, node);
  }
  return impulse;
}

// Place in the list of the obstacle nearest to a node.
template <class Obstacles, class T, int D>
__device__ int nearest_obstacle(const View<T, D>& view, const NearNode& at, const Vec3d& x) {
  int nearest = 0;
  double least = 1e30;
  for (int k = 0; k < at.n; ++k) {
    const Collider& c = view.colliders[at.near[k]];
    DistanceAndNormal d = Obstacles::distance(c, x);
    if (stands_still(c)) d = snapped(d, view.spacing);
    if (d.distance < least) nearest = k;
    least = min_of(least, d.distance);
  }
  return nearest;
}

// As exchange_after_contact of the CPU. One node a thread. Leaves the momentum, where the
// velocities of the last species were kept, zero for the next scatter.
template <class T, int D, class Obstacles>
__global__ void __launch_bounds__(kContactThreads)
    exchange_again_kernel(const __grid_constant__ View<T, D> view,
                          const __grid_constant__ SharedNodes<T> nodes) {
  GivenImpulses<T, D> given(view);
  for_each_near_node<Obstacles>(view, [&](const NearNode& at) {
    const bool again = holds_some<T, D>(nodes, at.number);
    if (!__any_sync(kAllLanes, again))
      return store_node(view.momentum + at.number, {{T(0), T(0), T(0), T(0)}});
    const Vec3d x =
        node_position<D>(view.coord[view.control->parity][at.slot], at.node, view.spacing);
    Vec3d impulse{{0, 0, 0}};
    int nearest = -1;
    if (again) {
      impulse = exchange_with_held_at(view, nodes, at.number);
      nearest = nearest_obstacle<Obstacles>(view, at, x);
    }
    store_node(view.momentum + at.number, {{T(0), T(0), T(0), T(0)}});
    for (int k = 0; k < at.n; ++k)
      if (__any_sync(kAllLanes, nearest == k))
        given.add(at.near[k], nearest == k ? impulse : Vec3d{{0, 0, 0}}, x);
  });
  given.template send_together<kContactThreads>();
}

}  // namespace firn
