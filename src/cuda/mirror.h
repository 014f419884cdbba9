// Smooth walls at rest (collision/mirror.h): nodes behind them follow the free nodes before them,
// which take over their momentum (mpm/mirror_fold.h). What the CPU looks up when blocks are sorted
// (mpm/mirror_map.h) is found anew here, node by node. Nodes change in place, pass by pass
// (collision/mirror_passes.h): in each, those before the mirrors by what they read of those behind,
// or the other way round.
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

// A node while mirrors fold the grid; before the first pass no mass has come to it.
template <class T, int D>
__device__ FoldedNode<T, D> folded_node(const View<T, D>& view, long long number, bool begins) {
  const DeviceNode<T> node = load_node(view.velocity + number);
  if (begins) return FoldedNode<T, D>::whole(velocity_of<T, D>(node), node.e[kMassLane]);
  return {velocity_of<T, D>(node), velocity_of<T, D>(load_node(view.folded + number))};
}

// What the nodes behind the mirror c give to the free node `here`.
template <class T, int D, class Obstacles>
__device__ void collect_followers(const DeviceWalk<T, D, Obstacles>& here, const Collider& c,
                                  KernelKind kernel, bool begins, MirrorFold<T, D>& fold) {
  for (int axis = 0; axis < D; ++axis)
    for (int direction = -1; direction <= 1; direction += 2) {
      if (!may_follow_along(c, axis, direction, D)) continue;
      for (int steps = 1; steps <= kMirrorDepth + 1; ++steps) {
        const auto behind = here.moved(axis, -direction * steps);
        if (behind.distance(c).distance > 0) continue;
        const Mirror<T, D> m = behind.mirror(c, kernel);
        const int which = steps - m.depth;
        if (m.axis != axis || m.direction != direction || which < 0 || which > 1) continue;
        if (m.across[which] == T(0) && m.along[which] == T(0)) continue;
        const long long number = behind.number();
        if (number < 0 || !(here.view.velocity[number].e[kMassLane] > T(0))) continue;
        const FoldedNode<T, D> node = folded_node(here.view, number, begins);
        if (m.holds(node.velocity)) fold.add(m, which, node);
      }
    }
}

// Whether a node of velocity v behind the mirror c follows nodes that have mass.
template <class T, int D, class Obstacles>
__device__ bool is_led(const DeviceWalk<T, D, Obstacles>& here, const Collider& c,
                       KernelKind kernel, const Vec<T, D>& v) {
  const Mirror<T, D> m = here.mirror(c, kernel);
  if (m.axis < 0 || !m.holds(v)) return false;
  for (int j = 0; j < 2; ++j) {
    const long long number = here.moved(m.axis, m.direction * (m.depth + j)).number();
    if (number >= 0 && here.view.velocity[number].e[kMassLane] > T(0)) return true;
  }
  return false;
}

// One pass: free nodes of blocks near obstacles get what followers give them, and these note that
// they follow.
template <class T, int D, class Obstacles>
__global__ void __launch_bounds__(kContactThreads)
    lead_kernel(const __grid_constant__ View<T, D> view, KernelKind kernel, int pass) {
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
    const T mass = view.velocity[number].e[kMassLane];
    FoldedNode<T, D> value = folded_node(view, static_cast<long long>(number), pass == 0);
    T passes = pass == 0 ? T(0) : view.folded[number].e[kMassLane];
    bool changed = false;
    for (int k = 0; k < view.near_nodes.count[slot]; ++k) {
      if (view.mirror_pass[near[k]] != pass) continue;
      const Collider& c = view.colliders[near[k]];
      const double distance = here.distance(c).distance;
      MirrorFold<T, D> fold(value, mass > T(0) ? mass : T(1));
      if (mass > T(0) && distance > 0 && distance < kMirrorReach * view.spacing)
        collect_followers(here, c, kernel, pass == 0, fold);
      if (mass > T(0) && distance <= 0 && is_led(here, c, kernel, value.velocity))
        passes = with_pass(passes, pass);
      const FoldedNode<T, D> after = fold.any() ? fold.node() : value;
      if (__any_sync(kAllLanes, fold.any()))
        given.add(near[k], impulse_of(mass, after.velocity - value.velocity), x);
      changed = changed || fold.any();
      value = after;
    }
    // Of a node that others read nothing but its passes may change now.
    if (pass == 0 || changed) {
      DeviceNode<T> masses{{T(0), T(0), T(0), T(0)}};
      for (int a = 0; a < D; ++a) masses.e[a] = value.mass[a];
      masses.e[kMassLane] = passes;
      store_node(view.folded + number, masses);
    } else {
      view.folded[number].e[kMassLane] = passes;
    }
    for (int a = 0; a < D && changed; ++a) view.velocity[number].e[a] = value.velocity[a];
  }
  given.template send_together<kContactThreads>();
}

// Velocity of a node that follows others across the mirror c.
template <class T, int D, class Obstacles>
__device__ Vec<T, D> followed_velocity(const DeviceWalk<T, D, Obstacles>& here, const Collider& c,
                                       KernelKind kernel, const Vec<T, D>& v) {
  const Mirror<T, D> m = here.mirror(c, kernel);
  if (m.axis < 0) return v;
  Vec<T, D> free[2];
  for (int j = 0; j < 2; ++j) {
    const long long number = here.moved(m.axis, m.direction * (m.depth + j)).number();
    free[j] =
        number < 0 ? Vec<T, D>::zero() : velocity_of<T, D>(load_node(here.view.velocity + number));
  }
  return mirrored_velocity(m, v, free);
}

// One pass back: nodes that followed take their velocities from those that lead them.
template <class T, int D, class Obstacles>
__global__ void __launch_bounds__(kContactThreads)
    follow_kernel(const __grid_constant__ View<T, D> view, KernelKind kernel, int pass) {
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
    const T mass = view.velocity[number].e[kMassLane], passes = view.folded[number].e[kMassLane];
    Vec<T, D> v = velocity_of<T, D>(load_node(view.velocity + number));
    bool changed = false;
    for (int k = 0; k < view.near_nodes.count[slot]; ++k) {
      if (view.mirror_pass[near[k]] != pass) continue;
      const Collider& c = view.colliders[near[k]];
      const bool follows = moved_in_pass(passes, pass) && here.distance(c).distance <= 0;
      const Vec<T, D> after = follows ? followed_velocity(here, c, kernel, v) : v;
      if (__any_sync(kAllLanes, follows)) given.add(near[k], impulse_of(mass, after - v), x);
      changed = changed || follows;
      v = after;
    }
    for (int a = 0; a < D && changed; ++a) view.velocity[number].e[a] = v[a];
  }
  given.template send_together<kContactThreads>();
}

// What is left after the last pass, as contact_kernel: obstacles that are no mirrors, or let go.
template <class T, int D, class Obstacles>
__global__ void __launch_bounds__(kContactThreads)
    meet_rest_kernel(const __grid_constant__ View<T, D> view) {
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
    const T passes = view.folded[number].e[kMassLane];
    unsigned long long settled = 0;
    for (int k = 0; k < n && k < 64; ++k) {
      const int pass = view.mirror_pass[near[k]];
      if (pass < 0 || !moved_in_pass(passes, pass)) continue;
      if (here.distance(view.colliders[near[k]]).distance <= 0) settled |= 1ull << k;
    }
    const Vec<T, D> v = meet_listed<Obstacles>(view, near, n, x, value.e[kMassLane],
                                               velocity_of<T, D>(value), given, settled);
    for (int a = 0; a < D; ++a) value.e[a] = v[a];
    store_node(view.velocity + number, value);
  }
  given.template send_together<kContactThreads>();
}

}  // namespace firn
