// Smooth walls at rest (collision/mirror.h): nodes behind them follow the free nodes before them,
// which take over their momentum (mpm/mirror_fold.h). What the CPU looks up when blocks are sorted
// (mpm/mirror_map.h) is found anew here, node by node. Nodes change in place, pass by pass
// (collision/mirror_passes.h): in each, those before the mirrors by what they read of those behind,
// or the other way round.
#pragma once

#include "collision/plane_mirror.h"
#include "mpm/mirror_fold.h"
#include "mpm_cuda/block_table.h"
#include "mpm_cuda/contact.h"

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

// A node while mirrors fold the grid; before the first pass no mass has come to it.
template <class T, int D>
__device__ FoldedNode<T, D> folded_node(const View<T, D>& view, long long number, bool begins) {
  const DeviceNode<T> node = load_node(view.velocity + number);
  if (begins) return FoldedNode<T, D>::whole(velocity_of<T, D>(node), node.e[kMassLane]);
  return {velocity_of<T, D>(node), velocity_of<T, D>(load_node(view.folded + number))};
}

// What the node behind a mirror gives to a free node that it follows as its number `which`.
template <class T, int D>
__device__ void collect_follower(const DeviceWalk<T, D>& behind, const Mirror<T, D>& m, int which,
                                 bool begins, MirrorFold<T, D>& fold) {
  if (m.across_of(which) == T(0) && m.along_of(which) == T(0)) return;
  const long long number = behind.number();
  if (number < 0 || !(behind.view.velocity[number].e[kMassLane] > T(0))) return;
  const FoldedNode<T, D> node = folded_node(behind.view, number, begins);
  if (m.holds(node.velocity)) fold.add(m, which, node);
}

// Collider number c as a mirror, whatever its shape: distances of the nodes around tell who follows
// whom.
template <class T, int D>
struct AnyMirror {
  const View<T, D>& view;
  const Collider& collider;

  __device__ AnyMirror(const View<T, D>& v, int c) : view(v), collider(v.colliders[c]) {}
  __device__ bool touches(const BlockCoord<D>&) const { return true; }
  __device__ double distance(const DeviceWalk<T, D>& at) const {
    return snapped(distance_to(collider, at.position()), view.spacing).distance;
  }
  __device__ bool is_behind(const DeviceWalk<T, D>& here) const { return !(distance(here) > 0); }
  __device__ Mirror<T, D> of(const DeviceWalk<T, D>& here, KernelKind kernel) const {
    return mirror_of<T, D>(collider, kernel, view.spacing, [&](int axis, int steps) {
      return distance_to(collider, here.moved(axis, steps).position());
    });
  }
  // What the nodes behind it give to the free node `here`.
  __device__ void collect(const DeviceWalk<T, D>& here, KernelKind kernel, bool begins,
                          MirrorFold<T, D>& fold) const {
    const double free = distance(here);
    if (!(free > 0 && free < kMirrorReach * view.spacing)) return;
    for (int axis = 0; axis < D; ++axis)
      for (int direction = -1; direction <= 1; direction += 2)
        for (int steps = 1; steps <= kMirrorDepth + 1; ++steps) {
          const auto behind = here.moved(axis, -direction * steps);
          if (distance(behind) > 0) continue;
          const Mirror<T, D> m = of(behind, kernel);
          const int which = steps - m.depth;
          if (m.axis == axis && m.direction == direction && which >= 0 && which <= 1)
            collect_follower(behind, m, which, begins, fold);
        }
  }
};

// As AnyMirror, of half-spaces at rest.
template <class T, int D>
struct FixedPlaneMirror {
  const PlaneMirror& plane;
  double spacing;

  __device__ FixedPlaneMirror(const View<T, D>& v, int c)
      : plane(v.plane_mirrors[c]), spacing(v.spacing) {}
  // Whether nodes of a block may lead or follow: blocks are near obstacles long before that.
  __device__ bool touches(const BlockCoord<D>& block) const {
    constexpr double kHalf = 0.5 * (BlockShape<D>::kEdge - 1);
    Vec3d middle{{0, 0, 0}};
    double reach = 0;
    for (int a = 0; a < D; ++a) {
      middle[a] = (double(block[a]) * BlockShape<D>::kEdge + kHalf) * spacing;
      reach += kHalf * spacing * abs_of(plane.normal[a]);
    }
    const double distance = dot(plane.normal, middle) - plane.offset, most = 2.01 * plane.per_cell;
    return distance - reach < most && distance + reach > -1.01 * kMirrorDepth * plane.per_cell;
  }
  __device__ bool is_behind(const DeviceWalk<T, D>& here) const {
    return plane.place_of(here.position()) <= 0;
  }
  __device__ Mirror<T, D> of(const DeviceWalk<T, D>& here, KernelKind kernel) const {
    return plane_mirror_of<T, D>(plane, kernel, plane.place_of(here.position()));
  }
  __device__ void collect(const DeviceWalk<T, D>& here, KernelKind kernel, bool begins,
                          MirrorFold<T, D>& fold) const {
    const PlaneLead lead = plane_lead(plane.place_of(here.position()));
    if (lead.which < 0) return;
    for (int depth = 1; depth <= (plane.aligned ? 2 : kMirrorDepth); ++depth)
      collect_follower(here.moved(plane.axis, -plane.direction * (lead.which + depth)),
                       plane_follower<T, D>(plane, kernel, depth, lead.theta), lead.which, begins,
                       fold);
  }
};

// Thread blocks of a multiprocessor: planes get by with few registers.
template <class T, class Obstacles>
constexpr int kMirrorGroups =
    std::is_same_v<Obstacles, FixedPlane>&& std::is_same_v<T, float> ? 3 : 1;

template <class T, int D, class Obstacles>
using MirrorIn = std::conditional_t<std::is_same_v<Obstacles, FixedPlane>, FixedPlaneMirror<T, D>,
                                    AnyMirror<T, D>>;

// Whether a node that follows as m says follows nodes that have mass.
template <class T, int D>
__device__ bool is_led(const DeviceWalk<T, D>& here, const Mirror<T, D>& m) {
  for (int j = 0; j < 2; ++j) {
    const long long number = here.moved(m.axis, m.direction * (m.depth + j)).number();
    if (number >= 0 && here.view.velocity[number].e[kMassLane] > T(0)) return true;
  }
  return false;
}

// Whether a mirror of the pass touches a block; the same for all of its nodes.
template <class Obstacles, class T, int D>
__device__ bool is_touched(const View<T, D>& view, const NearNode& at, const BlockCoord<D>& block,
                           int pass) {
  for (int k = 0; k < at.n; ++k)
    if (view.mirror_pass[at.near[k]] == pass &&
        MirrorIn<T, D, Obstacles>(view, at.near[k]).touches(block))
      return true;
  return false;
}

// One pass: free nodes of blocks near obstacles get what followers give them, and these note that
// they follow.
template <class T, int D, class Obstacles>
__global__ void __launch_bounds__(kContactThreads, kMirrorGroups<T, Obstacles>)
    lead_kernel(const __grid_constant__ View<T, D> view, KernelKind kernel, int pass) {
  GivenImpulses<T, D> given(view);
  for_each_near_node<Obstacles>(view, [&](const NearNode& at) {
    const DeviceWalk<T, D> here(view, at.slot, at.node);
    // What the first pass leaves elsewhere is read by later ones only.
    if ((pass > 0 || view.mirror_passes == 1) && !is_touched<Obstacles>(view, at, here.block, pass))
      return;
    const Vec3d x = here.position();
    const T mass = view.velocity[at.number].e[kMassLane];
    FoldedNode<T, D> value = folded_node(view, static_cast<long long>(at.number), pass == 0);
    T passes = pass == 0 ? T(0) : view.folded[at.number].e[kMassLane];
    bool changed = false;
    for (int k = 0; k < at.n; ++k) {
      if (view.mirror_pass[at.near[k]] != pass) continue;
      const MirrorIn<T, D, Obstacles> mirror(view, at.near[k]);
      MirrorFold<T, D> fold(value, mass > T(0) ? mass : T(1));
      if (mass > T(0)) {
        mirror.collect(here, kernel, pass == 0, fold);
        const Mirror<T, D> m = mirror.of(here, kernel);
        if (m.axis >= 0 && m.holds(value.velocity) && is_led(here, m))
          passes = with_pass(passes, pass);
      }
      const FoldedNode<T, D> after = fold.any() ? fold.node() : value;
      if (__any_sync(kAllLanes, fold.any()))
        given.add(at.near[k], impulse_of(mass, after.velocity - value.velocity), x);
      changed = changed || fold.any();
      value = after;
    }
    // Of a node that others read nothing but its passes may change now.
    if (pass == 0 || changed) {
      DeviceNode<T> masses{{T(0), T(0), T(0), T(0)}};
      for (int a = 0; a < D; ++a) masses.e[a] = value.mass[a];
      masses.e[kMassLane] = passes;
      store_node(view.folded + at.number, masses);
    } else {
      view.folded[at.number].e[kMassLane] = passes;
    }
    for (int a = 0; a < D && changed; ++a) view.velocity[at.number].e[a] = value.velocity[a];
  });
  given.template send_together<kContactThreads>();
}

// Velocity of a node that follows others as m says.
template <class T, int D>
__device__ Vec<T, D> followed_velocity(const DeviceWalk<T, D>& here, const Mirror<T, D>& m,
                                       const Vec<T, D>& v) {
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
__global__ void __launch_bounds__(kContactThreads, kMirrorGroups<T, Obstacles>)
    follow_kernel(const __grid_constant__ View<T, D> view, KernelKind kernel, int pass) {
  GivenImpulses<T, D> given(view);
  for_each_near_node<Obstacles>(view, [&](const NearNode& at) {
    const DeviceWalk<T, D> here(view, at.slot, at.node);
    if (!is_touched<Obstacles>(view, at, here.block, pass)) return;
    const bool moved = moved_in_pass(view.folded[at.number].e[kMassLane], pass);
    if (!__any_sync(kAllLanes, moved)) return;
    const Vec3d x = here.position();
    const T mass = view.velocity[at.number].e[kMassLane];
    Vec<T, D> v = velocity_of<T, D>(load_node(view.velocity + at.number));
    bool changed = false;
    for (int k = 0; k < at.n; ++k) {
      if (view.mirror_pass[at.near[k]] != pass) continue;
      const MirrorIn<T, D, Obstacles> mirror(view, at.near[k]);
      const bool follows = moved && mirror.is_behind(here);
      const Vec<T, D> after = follows ? followed_velocity(here, mirror.of(here, kernel), v) : v;
      if (__any_sync(kAllLanes, follows)) given.add(at.near[k], impulse_of(mass, after - v), x);
      changed = changed || follows;
      v = after;
    }
    for (int a = 0; a < D && changed; ++a) view.velocity[at.number].e[a] = v[a];
  });
  given.template send_together<kContactThreads>();
}

// Obstacles whose contact with a node mirrors have settled, one bit each.
template <class Obstacles, class T, int D>
__device__ unsigned long long settled_by_mirrors(const View<T, D>& view, const NearNode& at,
                                                 const DeviceWalk<T, D>& here) {
  unsigned long long settled = 0;
  for (int k = 0; k < at.n && k < 64; ++k) {
    const int pass = view.mirror_pass[at.near[k]];
    if (pass < 0) continue;
    const MirrorIn<T, D, Obstacles> mirror(view, at.near[k]);
    if (mirror.touches(here.block) && moved_in_pass(view.folded[at.number].e[kMassLane], pass) &&
        mirror.is_behind(here))
      settled |= 1ull << k;
  }
  return settled;
}

// What is left after the last pass, as contact_kernel: obstacles that are no mirrors, or let go.
template <class T, int D, class Obstacles>
__global__ void __launch_bounds__(kContactThreads, kMirrorGroups<T, Obstacles>)
    meet_rest_kernel(const __grid_constant__ View<T, D> view) {
  GivenImpulses<T, D> given(view);
  for_each_near_node<Obstacles>(view, [&](const NearNode& at) {
    const DeviceWalk<T, D> here(view, at.slot, at.node);
    DeviceNode<T> value = load_node(view.velocity + at.number);
    const Vec<T, D> before = velocity_of<T, D>(value);
    const Vec<T, D> v =
        meet_with_grip<Obstacles>(view, at.near, at.n, here.position(), value.e[kMassLane], before,
                                  at.number, given, settled_by_mirrors<Obstacles>(view, at, here));
    if (v == before) return;
    for (int a = 0; a < D; ++a) value.e[a] = v[a];
    store_node(view.velocity + at.number, value);
  });
  given.template send_together<kContactThreads>();
}

}  // namespace firn
