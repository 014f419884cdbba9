// Nodes: momentum becomes velocity and gravity acts. And the lists of obstacles near each block.
#pragma once

#include <climits>

#include "mpm_cuda/obstacles.h"

namespace firn {

constexpr int kGridThreads = 256;

// What gravity adds to the velocity of node `node` in a step, where it is not the same everywhere.
template <class T, int D>
__device__ Vec<T, D> gravity_kick(const View<T, D>& view, std::size_t node, T dt) {
  constexpr int kNodes = BlockShape<D>::kNodes;
  Control& control = *view.control;
  const Vec3d x = node_position<D>(view.coord[control.parity][node / kNodes],
                                   static_cast<int>(node % kNodes), view.spacing);
  Vec<T, D> kick;
  for (int a = 0; a < D; ++a) {
    const double g = view.gravity[a].at(x, control.middle);
    if (!isfinite(g)) atomicMin(&control.found.bad_node, static_cast<unsigned long long>(node));
    kick[a] = dt * T(g);
  }
  return kick;
}

// FLIP: what nodes move at before the step, and the impulse of the stress added to their momentum.
template <class T, int D>
__device__ void take_push(const View<T, D>& view, std::size_t i, DeviceNode<T>& node) {
  const T mass = node.e[kMassLane], inverse = mass > kLeastMass<T> ? T(1) / mass : T(0);
  const DeviceNode<T> push = load_node(view.push + i);
  DeviceNode<T> before{};
  for (int a = 0; a < D; ++a) {
    before.e[a] = node.e[a] * inverse;
    node.e[a] += push.e[a];
  }
  store_node(view.before + i, before);
  store_node(view.push + i, DeviceNode<T>{});
}

// Also leaves the momentum zero for the next scatter.
template <class T, int D, bool GravityInSpace, bool Pushed>
__global__ void __launch_bounds__(kGridThreads)
    grid_kernel(const __grid_constant__ View<T, D> view) {
  const Control& control = *view.control;
  const std::size_t i = std::size_t(blockIdx.x) * kGridThreads + threadIdx.x;
  if (i >= std::size_t(control.blocks) * BlockShape<D>::kNodes) return;
  DeviceNode<T> node = load_node(view.momentum + i);
  if constexpr (Pushed) take_push(view, i, node);
  const T mass = node.e[kMassLane];
  if (mass > kLeastMass<T>) {
    const T dt = T(control.dt), inverse = T(1) / mass;
    Vec<T, D> kick;
    if constexpr (GravityInSpace)
      kick = gravity_kick(view, i, dt);
    else
      for (int a = 0; a < D; ++a) kick[a] = dt * T(control.gravity[a]);
    for (int a = 0; a < D; ++a) node.e[a] = node.e[a] * inverse + kick[a];
  } else {
    node = {{T(0), T(0), T(0), T(0)}};
  }
  store_node(view.velocity + i, node);
  store_node(view.momentum + i, {{T(0), T(0), T(0), T(0)}});
}

// The corners between which the occupied blocks lie; called by whole warps.
template <class T, int D>
__device__ void widen_corners(const View<T, D>& view, const BlockCoord<D>& coord, bool counts) {
  Control& control = *view.control;
  for (int a = 0; a < D; ++a) {
    const int low = warp_least(counts ? coord[a] : INT_MAX);
    const int high = warp_largest(counts ? coord[a] : INT_MIN);
    if (threadIdx.x % 32 != 0 || low > high) continue;
    atomicMin(&control.first_block[a], low);
    atomicMax(&control.last_block[a], high);
  }
}

// Forgets the lists of obstacles before they are made.
template <class T, int D>
__global__ void clear_near_kernel(const __grid_constant__ View<T, D> view) {
  Control& control = *view.control;
  *view.near_nodes.listed = *view.near_particles.listed = {0, 0};
  control.body_drift = ContactMap<D>::kFirstBodyDrift;
  for (int a = 0; a < D; ++a) {
    control.first_block[a] = INT_MAX;
    control.last_block[a] = INT_MIN;
  }
}

// Lists the obstacles near each block, be it all or those that stop the species of the view.
template <class T, int D>
__global__ void near_kernel(const __grid_constant__ View<T, D> view, ContactReach<D> reach) {
  Control& control = *view.control;
  const int slot = blockIdx.x * blockDim.x + threadIdx.x;
  const bool exists = slot < control.blocks && !control.full;
  const BlockCoord<D> coord = view.coord[control.parity][exists ? slot : 0];
  widen_corners(view, coord, exists && slot < control.occupied);
  if (!exists) return;
  const std::size_t first = std::size_t(slot) * view.collider_count;
  int nodes = 0, particles = 0;
  bool node_planes = true, particle_planes = true;
  for (int c = 0; c < view.collider_count; ++c) {
    if (view.species >= 0 && !stops_species(view.colliders[c], view.species)) continue;
    const bool plane = is_fixed_plane(view.colliders[c]);
    if (reach.meets_nodes(view.colliders[c], coord)) {
      view.near_nodes.list[first + nodes++] = c;
      node_planes = node_planes && plane;
    }
    if (slot < control.occupied && reach.meets_particles(view.colliders[c], coord)) {
      view.near_particles.list[first + particles++] = c;
      particle_planes = particle_planes && plane;
    }
  }
  view.near_nodes.count[slot] = nodes;
  view.near_particles.count[slot] = particles;
  if (nodes > 0) list_block(view.near_nodes, slot, node_planes, view.capacity);
  if (particles > 0) list_block(view.near_particles, slot, particle_planes, view.capacity);
}

}  // namespace firn
