// Nodes near obstacles meet them, and obstacles take what they gave to the nodes.
#pragma once

#include <type_traits>

#include "cuda/exact_sum.h"
#include "mpm_cuda/obstacles.h"

namespace firn {

template <class T, int D>
__device__ void add_impulse(const View<T, D>& view, int at, double value) {
  if (value == 0) return;
  if (view.exact_impulses)
    add_exact(view.exact_impulses + at * kExactDigits, value);
  else
    atomicAdd(view.impulses + at, value);
}

// What obstacles give to the nodes of a warp on its way to their owners; called by whole warps. An
// obstacle that follows itself is summed up here first.
template <class T, int D>
class GivenImpulses {
 public:
  __device__ explicit GivenImpulses(const View<T, D>& view) : view_(view) {}

  __device__ void add(int collider, const Vec3d& impulse, const Vec3d& x) {
    if (collider != collider_) send();
    collider_ = collider;
    const Vec3d torque = cross(x - reference_point(view_.colliders[collider]), impulse);
    for (int a = 0; a < 3; ++a) {
      sum_[a] += impulse[a];
      sum_[3 + a] += torque[a];
    }
    // The terms of exact sums must not depend on the order of blocks.
    if (view_.exact_impulses) send();
  }
  __device__ void send() {
    if (collider_ < 0) return;
    for (int k = 0; k < 6; ++k) {
      const double sum = warp_sum(sum_[k]);
      sum_[k] = 0;
      if (threadIdx.x % 32 == 0) give(k, sum);
    }
  }
  // The last, by all threads of a thread block: in one go where they are of one obstacle, since
  // additions to one place wait for each other.
  template <int Threads>
  __device__ void send_together() {
    constexpr int kWarps = Threads / 32;
    __shared__ double of_warp[kWarps][6];
    __shared__ int first;
    if (threadIdx.x == 0) first = collider_;
    __syncthreads();
    if (!__syncthreads_and(collider_ == first)) return send();
    if (collider_ < 0) return;
    for (int k = 0; k < 6; ++k) {
      const double sum = warp_sum(sum_[k]);
      if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32][k] = sum;
    }
    __syncthreads();
    if (threadIdx.x >= 6) return;
    double sum = 0;
    for (int warp = 0; warp < kWarps; ++warp) sum += of_warp[warp][threadIdx.x];
    give(threadIdx.x, sum);
  }

 private:
  __device__ void give(int component, double sum) const {
    add_impulse(view_, 6 * view_.colliders[collider_].owner + component, sum);
  }

  const View<T, D>& view_;
  int collider_ = -1;
  double sum_[6] = {};
};

template <class T, int D>
__device__ Vec3d impulse_of(T mass, const Vec<T, D>& change) {
  Vec3d impulse{{0, 0, 0}};
  for (int a = 0; a < D; ++a) impulse[a] = double(mass) * double(change[a]);
  return impulse;
}

// Obstacles of a node that meets more of them than are listed: each gives by itself, since the
// others of the warp may be elsewhere.
template <class T, int D>
__device__ void give_alone(const View<T, D>& view, int collider, const Vec3d& impulse,
                           const Vec3d& x) {
  const Collider& c = view.colliders[collider];
  const Vec3d torque = cross(x - reference_point(c), impulse);
  for (int a = 0; a < 3; ++a) {
    add_impulse(view, 6 * c.owner + a, impulse[a]);
    add_impulse(view, 6 * c.owner + 3 + a, torque[a]);
  }
}

// What each of n obstacles does to a node at x, given on to the warp's impulses; the velocity after
// it. Called by whole warps, for which n and `near` are the same. Those that are `settled` (one bit
// each) do nothing. `grip`, per mass, as in resolve_contact.
template <class Obstacles, class T, int D>
__device__ Vec<T, D> meet_listed(const View<T, D>& view, const int* near, int n, const Vec3d& x,
                                 T mass, const Vec<T, D>& v, T& grip, GivenImpulses<T, D>& given,
                                 unsigned long long settled = 0) {
  const T dt = T(view.control->dt);
  const bool filled = mass > kLeastMass<T>;
  const auto contact_with = [&](int k) {
    Contact<T, D> c = Obstacles::template contact<T, D>(view.colliders[near[k]], x, view.spacing);
    if (k < 64 && (settled >> k & 1)) c.phi = T(1e30);
    return c;
  };
  if (n == 1) {
    Vec<T, D> after = v;
    if (filled) {
      const Contact<T, D> c = contact_with(0);
      if (can_meet(c, v, dt)) after = resolve_contact(c, v, dt, grip);
    }
    if (__any_sync(kAllLanes, !(after == v))) given.add(near[0], impulse_of(mass, after - v), x);
    return after;
  }
  NodeContacts<T, D> met;
  const auto give = [&](int k, const Vec<T, D>& change) {
    give_alone(view, near[k], impulse_of(mass, change), x);
  };
  const Vec<T, D> after =
      filled ? meet_obstacles<T, D>(n, v, dt, grip, met, contact_with, give) : v;
  if (!__any_sync(kAllLanes, met.count > 0)) return after;
  for (int k = 0; k < n; ++k) {
    Vec3d impulse{{0, 0, 0}};
    for (int m = 0; m < met.count; ++m)
      if (met.place[m] == k) impulse = impulse_of(mass, met.change[m]);
    given.add(near[k], impulse, x);
  }
  return after;
}

// meet_listed with the grip of the node number `node` (slot x kNodes + node in block).
template <class Obstacles, class T, int D>
__device__ Vec<T, D> meet_with_grip(const View<T, D>& view, const int* near, int n, const Vec3d& x,
                                    T mass, const Vec<T, D>& v, std::size_t node,
                                    GivenImpulses<T, D>& given, unsigned long long settled = 0) {
  const Control& control = *view.control;
  T* stored = view.grip[control.parity];
  const bool filled = mass > kLeastMass<T>;
  const T before = stored ? stored[node] : T(0);
  T grip = filled ? before / mass : T(0);
  const Vec<T, D> after = meet_listed<Obstacles>(view, near, n, x, mass, v, grip, given, settled);
  if (!stored) return after;
  const T kept = filled ? lasting_grip(grip * mass, T(control.dt), view.grip_time) : T(0);
  if (kept != before) stored[node] = kept;
  return after;
}

// As MpmSolver::update_grid.
template <class T, int D>
__device__ void find_wrong_surface(const View<T, D>& view, const int* near, int n, const Vec3d& x,
                                   std::size_t node) {
  for (int k = 0; k < n; ++k) {
    const Collider& c = view.colliders[near[k]];
    if (c.varies && surface_is_wrong(c, x, distance_to(c, x).distance, view.spacing))
      atomicMin(&view.control->found.bad_node, static_cast<unsigned long long>(node));
  }
}

constexpr int kContactThreads = 256;

// A node of a block near obstacles.
struct NearNode {
  int slot, node;      // of the block, and in it
  std::size_t number;  // slot x nodes of a block + node
  const int* near;     // the obstacles
  int n;
};

// visit(NearNode): some blocks a thread block, one node a thread, whole warps at once.
template <class Obstacles, class T, int D, class Visit>
__device__ void for_each_near_node(const View<T, D>& view, const Visit& visit) {
  constexpr int kNodes = BlockShape<D>::kNodes, kBlocks = kContactThreads / kNodes;
  static_assert(kNodes % 32 == 0);
  const int blocks = Obstacles::count(*view.near_nodes.listed);
  const int node = threadIdx.x % kNodes;
  for (int i = blockIdx.x * kBlocks + threadIdx.x / kNodes; i < blocks; i += gridDim.x * kBlocks) {
    const int slot = Obstacles::block(view.near_nodes, i, view.capacity);
    visit(NearNode{slot, node, std::size_t(slot) * kNodes + node,
                   view.near_nodes.list + std::size_t(slot) * view.collider_count,
                   view.near_nodes.count[slot]});
  }
}

template <class T, int D, class Obstacles>
__global__ void __launch_bounds__(kContactThreads)
    contact_kernel(const __grid_constant__ View<T, D> view) {
  GivenImpulses<T, D> given(view);
  for_each_near_node<Obstacles>(view, [&](const NearNode& at) {
    DeviceNode<T> value = load_node(view.velocity + at.number);
    Vec<T, D> v;
    for (int a = 0; a < D; ++a) v[a] = value.e[a];
    const Vec3d x =
        node_position<D>(view.coord[view.control->parity][at.slot], at.node, view.spacing);
    if constexpr (std::is_same_v<Obstacles, AnyObstacle>)
      if (value.e[kMassLane] > kLeastMass<T>) find_wrong_surface(view, at.near, at.n, x, at.number);
    const Vec<T, D> after =
        meet_with_grip<Obstacles>(view, at.near, at.n, x, value.e[kMassLane], v, at.number, given);
    if (after == v) return;
    for (int a = 0; a < D; ++a) value.e[a] = after[a];
    store_node(view.velocity + at.number, value);
  });
  given.template send_together<kContactThreads>();
}

}  // namespace firn
