// Smooth walls at rest (collision/mirror.h): nodes behind them follow the free nodes before them,
// which take over their momentum (mpm/mirror_fold.h). What the CPU looks up when blocks are sorted
// (mpm/mirror_map.h) is found anew here, node by node.
#pragma once

#include "cuda/block_table.h"
#include "cuda/contact.h"
#include "mpm/mirror_fold.h"

namespace firn {

// The node of a thread and those around it.
template <class T, int D, class Obstacles>
struct DeviceWalk {
  static constexpr int kEdge = BlockShape<D>::kEdge, kNodes = BlockShape<D>::kNodes;

  const View<T, D>& view;
  BlockCoord<D> block;
  int slot;
  Vec<int, D> at;  // from the block's first node

  __device__ DeviceWalk(const View<T, D>& v, int slot_of_block, int node)
      : view(v), block(v.coord[v.control->parity][slot_of_block]), slot(slot_of_block) {
    for (int a = D - 1; a >= 0; --a, node /= kEdge) at[a] = node % kEdge;
  }
  __device__ DeviceWalk moved(int axis, int steps) const {
    DeviceWalk w = *this;
    w.at[axis] += steps;
    return w;
  }
  __device__ DistanceAndNormal distance(const Collider& c) const {
    Vec3d x{{0, 0, 0}};
    for (int a = 0; a < D; ++a) x[a] = (double(block[a]) * kEdge + at[a]) * view.spacing;
    return snapped(Obstacles::distance(c, x), view.spacing);
  }
  // Slot x kNodes + node, -1 where no obstacle is near that block.
  __device__ long long number() const {
    BlockCoord<D> other = block;
    int node = 0;
    bool inside = true;
    for (int a = 0; a < D; ++a) {
      const int step = at[a] < 0 ? -1 : at[a] >= kEdge ? 1 : 0;
      inside = inside && step == 0;
      other[a] += step;
      node = node * kEdge + at[a] - step * kEdge;
    }
    const int found = inside ? slot : find_key(view, device_key<D>(wrapped(view, other)));
    if (found < 0 || view.near_nodes.count[found] == 0) return -1;
    return static_cast<long long>(found) * kNodes + node;
  }
  __device__ Mirror<T, D> mirror(const Collider& c, KernelKind kernel) const {
    return mirror_of<T, D>(c, kernel, view.spacing,
                           [&](int axis, int steps) { return moved(axis, steps).distance(c); });
  }
};

template <class T, int D>
__device__ Vec<T, D> velocity_of(const DeviceNode<T>& node) {
  Vec<T, D> v;
  for (int a = 0; a < D; ++a) v[a] = node.e[a];
  return v;
}

// What the nodes behind the mirror c give to the free node `here`.
template <class T, int D, class Obstacles>
__device__ void collect_followers(const DeviceWalk<T, D, Obstacles>& here, const Collider& c,
                                  KernelKind kernel, MirrorFold<T, D>& fold) {
  for (int axis = 0; axis < D; ++axis)
    for (int direction = -1; direction <= 1; direction += 2) {
      if (!may_follow_along(c, axis, direction, D)) continue;
      for (int steps = 1; steps <= 3; ++steps) {
        const auto behind = here.moved(axis, -direction * steps);
        if (behind.distance(c).distance > 0) continue;
        const Mirror<T, D> m = behind.mirror(c, kernel);
        const int which = steps - m.depth;
        if (m.axis != axis || m.direction != direction || which < 0 || which > 1) continue;
        if (m.across[which] == T(0) && m.along[which] == T(0)) continue;
        const long long number = behind.number();
        if (number < 0) continue;
        const DeviceNode<T> node = load_node(here.view.velocity + number);
        const Vec<T, D> v = velocity_of<T, D>(node);
        if (node.e[kMassLane] > T(0) && m.holds(v)) fold.add(m, which, v, node.e[kMassLane]);
      }
    }
}

// Velocities of all nodes of blocks near obstacles with what followers give them.
template <class T, int D, class Obstacles>
__global__ void __launch_bounds__(kContactThreads)
    lead_kernel(const __grid_constant__ View<T, D> view, KernelKind kernel) {
  constexpr int kNodes = BlockShape<D>::kNodes, kBlocks = kContactThreads / kNodes;
  GivenImpulses<T, D> given(view);
  const int blocks = Obstacles::count(view.control->contact_blocks);
  const int node = threadIdx.x % kNodes;
  for (int i = blockIdx.x * kBlocks + threadIdx.x / kNodes; i < blocks; i += gridDim.x * kBlocks) {
    const int slot = Obstacles::block(view.near_nodes, i, view.capacity);
    const int* near = view.near_nodes.list + std::size_t(slot) * view.collider_count;
    const std::size_t number = std::size_t(slot) * kNodes + node;
    const DeviceWalk<T, D, Obstacles> here(view, slot, node);
    const Vec3d x = node_position<D>(here.block, node, view.spacing);
    DeviceNode<T> value = load_node(view.velocity + number);
    const T mass = value.e[kMassLane];
    for (int k = 0; k < view.near_nodes.count[slot]; ++k) {
      const Collider& c = view.colliders[near[k]];
      if (!is_mirror(c)) continue;
      const Vec<T, D> v = velocity_of<T, D>(value);
      MirrorFold<T, D> fold(v, mass);
      const double distance = here.distance(c).distance;
      if (mass > T(0) && distance > 0 && distance < 2.5 * view.spacing)
        collect_followers(here, c, kernel, fold);
      const Vec<T, D> after = fold.any() ? fold.velocity() : v;
      for (int a = 0; a < D; ++a) value.e[a] = after[a];
      if (__any_sync(kAllLanes, fold.any())) given.add(near[k], impulse_of(mass, after - v), x);
    }
    store_node(view.led + number, value);
  }
  given.template send_together<kContactThreads>();
}

// Velocity of a node behind mirrors that follows free nodes; `settled` gets a bit for each of those
// obstacles. Called by whole warps, for which n and `near` are the same.
template <class T, int D, class Obstacles>
__device__ Vec<T, D> follow_mirrors(const DeviceWalk<T, D, Obstacles>& here, const int* near, int n,
                                    KernelKind kernel, const Vec3d& x, const DeviceNode<T>& before,
                                    Vec<T, D> v, GivenImpulses<T, D>& given,
                                    unsigned long long& settled) {
  const T mass = before.e[kMassLane];
  for (int k = 0; k < n && k < 64; ++k) {
    const Collider& c = here.view.colliders[near[k]];
    if (!is_mirror(c)) continue;
    Vec<T, D> after = v;
    const Mirror<T, D> m = mass > T(0) ? here.mirror(c, kernel) : Mirror<T, D>{};
    if (m.axis >= 0 && m.holds(velocity_of<T, D>(before))) {
      Vec<T, D> free[2];
      T led_mass(0);
      for (int j = 0; j < 2; ++j) {
        const long long number = here.moved(m.axis, m.direction * (m.depth + j)).number();
        const DeviceNode<T> led = number < 0 ? DeviceNode<T>{{T(0), T(0), T(0), T(0)}}
                                             : load_node(here.view.led + number);
        free[j] = velocity_of<T, D>(led);
        led_mass += led.e[kMassLane];
      }
      if (led_mass > T(0)) {
        after = mirrored_velocity(m, v, free);
        settled |= 1ull << k;
      }
    }
    if (__any_sync(kAllLanes, settled >> k & 1)) given.add(near[k], impulse_of(mass, after - v), x);
    v = after;
  }
  return v;
}

// As contact_kernel, after lead_kernel.
template <class T, int D, class Obstacles>
__global__ void __launch_bounds__(kContactThreads)
    follow_kernel(const __grid_constant__ View<T, D> view, KernelKind kernel) {
  constexpr int kNodes = BlockShape<D>::kNodes, kBlocks = kContactThreads / kNodes;
  GivenImpulses<T, D> given(view);
  const int blocks = Obstacles::count(view.control->contact_blocks);
  const int node = threadIdx.x % kNodes;
  for (int i = blockIdx.x * kBlocks + threadIdx.x / kNodes; i < blocks; i += gridDim.x * kBlocks) {
    const int slot = Obstacles::block(view.near_nodes, i, view.capacity);
    const int* near = view.near_nodes.list + std::size_t(slot) * view.collider_count;
    const int n = view.near_nodes.count[slot];
    const std::size_t number = std::size_t(slot) * kNodes + node;
    const DeviceWalk<T, D, Obstacles> here(view, slot, node);
    const Vec3d x = node_position<D>(here.block, node, view.spacing);
    DeviceNode<T> value = load_node(view.velocity + number);
    unsigned long long settled = 0;
    Vec<T, D> v = velocity_of<T, D>(load_node(view.led + number));
    v = follow_mirrors(here, near, n, kernel, x, value, v, given, settled);
    v = meet_with_grip<Obstacles>(view, near, n, x, value.e[kMassLane], v, number, given, settled);
    for (int a = 0; a < D; ++a) value.e[a] = v[a];
    store_node(view.velocity + number, value);
  }
  given.template send_together<kContactThreads>();
}

}  // namespace firn
