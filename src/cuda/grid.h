// Nodes: momentum becomes velocity and gravity acts; then contact, where obstacles are near.
#pragma once

#include <climits>

#include "cuda/device_tools.h"
#include "cuda/exact_sum.h"

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

// Also leaves the momentum zero for the next scatter.
template <class T, int D, bool GravityInSpace>
__global__ void __launch_bounds__(kGridThreads)
    grid_kernel(const __grid_constant__ View<T, D> view) {
  const Control& control = *view.control;
  const std::size_t i = std::size_t(blockIdx.x) * kGridThreads + threadIdx.x;
  if (i >= std::size_t(control.blocks) * BlockShape<D>::kNodes) return;
  DeviceNode<T> node = load_node(view.momentum + i);
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

template <class T, int D>
__device__ void add_impulse(const View<T, D>& view, int at, double value) {
  if (value == 0) return;
  if (view.exact_impulses)
    add_exact(view.exact_impulses + at * kExactDigits, value);
  else
    atomicAdd(view.impulses + at, value);
}

// What one collider of the list gave to the nodes of this warp goes to its owner.
template <class T, int D>
__device__ void give_impulse(const View<T, D>& view, const Collider& collider, const Vec3d& impulse,
                             const Vec3d& x) {
  const Vec3d arm = x - reference_point(collider), torque = cross(arm, impulse);
  for (int a = 0; a < 3; ++a) {
    const double linear = warp_sum(impulse[a]), angular = warp_sum(torque[a]);
    if (threadIdx.x % 32 != 0) continue;
    add_impulse(view, 6 * collider.owner + a, linear);
    add_impulse(view, 6 * collider.owner + 3 + a, angular);
  }
}

// One block near obstacles a thread block, one node a thread.
template <class T, int D>
__global__ void __launch_bounds__(BlockShape<D>::kNodes)
    contact_kernel(const __grid_constant__ View<T, D> view) {
  const Control& control = *view.control;
  for (int i = blockIdx.x; i < control.contact_blocks; i += gridDim.x) {
    const int slot = view.near_nodes.blocks[i], n = view.near_nodes.count[slot];
    const int* near = view.near_nodes.list + std::size_t(slot) * view.collider_count;
    DeviceNode<T>* at = view.velocity + std::size_t(slot) * BlockShape<D>::kNodes + threadIdx.x;
    DeviceNode<T> node = load_node(at);
    const T mass = node.e[kMassLane];
    const Vec3d x = node_position<D>(view.coord[control.parity][slot], threadIdx.x, view.spacing);
    NodeContacts<T, D> met;
    if (mass > kLeastMass<T>) {
      Vec<T, D> v;
      for (int a = 0; a < D; ++a) v[a] = node.e[a];
      v = apply_colliders<T, D>(view.colliders, near, n, x, v, T(control.dt), met);
      for (int a = 0; a < D; ++a) node.e[a] = v[a];
      store_node(at, node);
    }
    if (!__any_sync(kAllLanes, met.count > 0)) continue;
    for (int k = 0; k < n; ++k) {
      Vec3d impulse{{0, 0, 0}};
      for (int m = 0; m < met.count; ++m)
        if (met.place[m] == k)
          for (int a = 0; a < D; ++a) impulse[a] = double(mass) * double(met.change[m][a]);
      give_impulse(view, view.colliders[near[k]], impulse, x);
    }
  }
}

// The corners between which the occupied blocks lie; called by whole warps.
template <class T, int D>
__device__ void widen_corners(const View<T, D>& view, const BlockCoord<D>& coord, bool counts) {
  Control& control = *view.control;
  for (int a = 0; a < D; ++a) {
    const int low = __reduce_min_sync(kAllLanes, counts ? coord[a] : INT_MAX);
    const int high = __reduce_max_sync(kAllLanes, counts ? coord[a] : INT_MIN);
    if (threadIdx.x % 32 != 0 || low > high) continue;
    atomicMin(&control.first_block[a], low);
    atomicMax(&control.last_block[a], high);
  }
}

// Forgets the lists of obstacles before they are made.
template <class T, int D>
__global__ void clear_near_kernel(const __grid_constant__ View<T, D> view) {
  Control& control = *view.control;
  control.contact_blocks = control.guard_blocks = 0;
  control.body_drift = 0.25 * ContactMap<D>::kBodySlack;  // as MpmSolver::build_contacts
  for (int a = 0; a < D; ++a) {
    control.first_block[a] = INT_MAX;
    control.last_block[a] = INT_MIN;
  }
}

// Lists the obstacles near each block.
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
  for (int c = 0; c < view.collider_count; ++c) {
    if (reach.meets_nodes(view.colliders[c], coord)) view.near_nodes.list[first + nodes++] = c;
    if (slot < control.occupied && reach.meets_particles(view.colliders[c], coord))
      view.near_particles.list[first + particles++] = c;
  }
  view.near_nodes.count[slot] = nodes;
  view.near_particles.count[slot] = particles;
  if (nodes > 0) view.near_nodes.blocks[atomicAdd(&control.contact_blocks, 1)] = slot;
  if (particles > 0) view.near_particles.blocks[atomicAdd(&control.guard_blocks, 1)] = slot;
}

}  // namespace firn
