// Smooth walls at rest (collision/mirror.h): nodes behind them follow the free nodes before them,
// which take over their momentum (mpm/mirror_fold.h). What the CPU looks up when blocks are sorted
// (mpm/mirror_map.h) is found anew here, node by node.
#pragma once

#include "collision/plane_mirror.h"
#include "cuda/block_table.h"
#include "cuda/contact.h"
#include "mpm/mirror_fold.h"

namespace firn {

// The node of a thread and those around it.
template <class T, int D>
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
    for (int a = 0; a < D; ++a) w.at[a] += a == axis ? steps : 0;  // no run-time index: registers
    return w;
  }
  __device__ Vec3d position() const {
    Vec3d x{{0, 0, 0}};
    for (int a = 0; a < D; ++a) x[a] = (double(block[a]) * kEdge + at[a]) * view.spacing;
    return x;
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
};

template <class T, int D>
__device__ Vec<T, D> velocity_of(const DeviceNode<T>& node) {
  Vec<T, D> v;
  for (int a = 0; a < D; ++a) v[a] = node.e[a];
  return v;
}

// What the node behind a mirror gives to a free node that it follows as its number `which`.
template <class T, int D>
__device__ void collect_follower(const DeviceWalk<T, D>& behind, const Mirror<T, D>& m, int which,
                                 MirrorFold<T, D>& fold) {
  if (m.across_of(which) == T(0) && m.along_of(which) == T(0)) return;
  const long long number = behind.number();
  if (number < 0) return;
  const DeviceNode<T> node = load_node(behind.view.velocity + number);
  const Vec<T, D> v = velocity_of<T, D>(node);
  if (node.e[kMassLane] > T(0) && m.holds(v)) fold.add(m, which, v, node.e[kMassLane]);
}

// Collider number c as a mirror, whatever its shape: distances of the nodes around tell who follows
// whom.
template <class T, int D>
struct AnyMirror {
  const View<T, D>& view;
  const Collider& collider;

  __device__ AnyMirror(const View<T, D>& v, int c) : view(v), collider(v.colliders[c]) {}
  __device__ bool exists() const { return is_mirror(collider); }
  __device__ double distance(const DeviceWalk<T, D>& at) const {
    return snapped(distance_to(collider, at.position()), view.spacing).distance;
  }
  __device__ Mirror<T, D> of(const DeviceWalk<T, D>& here, KernelKind kernel) const {
    return mirror_of<T, D>(collider, kernel, view.spacing, [&](int axis, int steps) {
      return distance_to(collider, here.moved(axis, steps).position());
    });
  }
  // What the nodes behind it give to the free node `here`.
  __device__ void collect(const DeviceWalk<T, D>& here, KernelKind kernel,
                          MirrorFold<T, D>& fold) const {
    const double free = distance(here);
    if (!(free > 0 && free < 2.5 * view.spacing)) return;
    for (int axis = 0; axis < D; ++axis)
      for (int direction = -1; direction <= 1; direction += 2)
        for (int steps = 1; steps <= 3 && may_follow_along(collider, axis, direction, D); ++steps) {
          const auto behind = here.moved(axis, -direction * steps);
          if (distance(behind) > 0) continue;
          const Mirror<T, D> m = of(behind, kernel);
          const int which = steps - m.depth;
          if (m.axis == axis && m.direction == direction && which >= 0 && which <= 1)
            collect_follower(behind, m, which, fold);
        }
  }
};

// As AnyMirror, of half-spaces at rest.
template <class T, int D>
struct FixedPlaneMirror {
  const PlaneMirror& plane;

  __device__ FixedPlaneMirror(const View<T, D>& v, int c) : plane(v.plane_mirrors[c]) {}
  __device__ bool exists() const { return plane.is_mirror; }
  __device__ Mirror<T, D> of(const DeviceWalk<T, D>& here, KernelKind kernel) const {
    return plane_mirror_of<T, D>(plane, kernel, plane.place_of(here.position()));
  }
  __device__ void collect(const DeviceWalk<T, D>& here, KernelKind kernel,
                          MirrorFold<T, D>& fold) const {
    const PlaneLead lead = plane_lead(plane.place_of(here.position()));
    if (lead.which < 0) return;
    for (int depth = 1; depth <= 2; ++depth)
      collect_follower(here.moved(plane.axis, -plane.direction * (lead.which + depth)),
                       plane_follower<T, D>(plane, kernel, depth, lead.theta), lead.which, fold);
  }
};

// Thread blocks of a multiprocessor: planes get by with few registers.
template <class T, class Obstacles>
constexpr int kMirrorGroups =
    std::is_same_v<Obstacles, FixedPlane>&& std::is_same_v<T, float> ? 3 : 1;

template <class T, int D, class Obstacles>
using MirrorIn = std::conditional_t<std::is_same_v<Obstacles, FixedPlane>, FixedPlaneMirror<T, D>,
                                    AnyMirror<T, D>>;

// Velocities of all nodes of blocks near obstacles with what followers give them.
template <class T, int D, class Obstacles>
__global__ void __launch_bounds__(kContactThreads, kMirrorGroups<T, Obstacles>)
    lead_kernel(const __grid_constant__ View<T, D> view, KernelKind kernel) {
  constexpr int kNodes = BlockShape<D>::kNodes, kBlocks = kContactThreads / kNodes;
  GivenImpulses<T, D> given(view);
  const int blocks = Obstacles::count(view.control->contact_blocks);
  const int node = threadIdx.x % kNodes;
  for (int i = blockIdx.x * kBlocks + threadIdx.x / kNodes; i < blocks; i += gridDim.x * kBlocks) {
    const int slot = Obstacles::block(view.near_nodes, i, view.capacity);
    const int* near = view.near_nodes.list + std::size_t(slot) * view.collider_count;
    const std::size_t number = std::size_t(slot) * kNodes + node;
    const DeviceWalk<T, D> here(view, slot, node);
    const Vec3d x = here.position();
    DeviceNode<T> value = load_node(view.velocity + number);
    const T mass = value.e[kMassLane];
    for (int k = 0; k < view.near_nodes.count[slot]; ++k) {
      const MirrorIn<T, D, Obstacles> mirror(view, near[k]);
      if (!mirror.exists()) continue;
      const Vec<T, D> v = velocity_of<T, D>(value);
      MirrorFold<T, D> fold(v, mass);
      if (mass > T(0)) mirror.collect(here, kernel, fold);
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
template <class Obstacles, class T, int D>
__device__ Vec<T, D> follow_mirrors(const DeviceWalk<T, D>& here, const int* near, int n,
                                    KernelKind kernel, const Vec3d& x, const DeviceNode<T>& before,
                                    Vec<T, D> v, GivenImpulses<T, D>& given,
                                    unsigned long long& settled) {
  const T mass = before.e[kMassLane];
  for (int k = 0; k < n && k < 64; ++k) {
    const MirrorIn<T, D, Obstacles> mirror(here.view, near[k]);
    if (!mirror.exists()) continue;
    Vec<T, D> after = v;
    const Mirror<T, D> m = mass > T(0) ? mirror.of(here, kernel) : Mirror<T, D>{};
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
__global__ void __launch_bounds__(kContactThreads, kMirrorGroups<T, Obstacles>)
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
    const DeviceWalk<T, D> here(view, slot, node);
    const Vec3d x = here.position();
    DeviceNode<T> value = load_node(view.velocity + number);
    unsigned long long settled = 0;
    Vec<T, D> v = velocity_of<T, D>(load_node(view.led + number));
    v = follow_mirrors<Obstacles>(here, near, n, kernel, x, value, v, given, settled);
    v = meet_with_grip<Obstacles>(view, near, n, x, value.e[kMassLane], v, number, given, settled);
    for (int a = 0; a < D; ++a) value.e[a] = v[a];
    store_node(view.velocity + number, value);
  }
  given.template send_together<kContactThreads>();
}

}  // namespace firn
