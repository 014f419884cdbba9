// Nodes that follow others behind smooth walls within an implicit step (mpm/implicit_follower.h) in
// device memory. Who may follow whom is known from the blocks; who does is found in each step.
#pragma once

#include "mpm/implicit_follower.h"
#include "mpm_cuda/implicit_arenas.h"
#include "mpm_cuda/implicit_vectors.h"
#include "mpm_cuda/mirror.h"

namespace firn {

// along: with its tangential velocity too, which one wall alone gives to a node behind several.
enum class Follows : std::uint8_t { no, across, along };

template <class T, int D>
struct FollowingView {
  const FollowingNode<T, D>* all = nullptr;  // those of one node side by side
  std::int32_t count = 0;
  const std::int32_t* first = nullptr;  // of the nodes of the grid, or -1; null: there are none
  Follows* use = nullptr;
  T* weights = nullptr;  // of the unknowns, kg

  // f(follower, its mirror) where the follower k follows.
  template <class F>
  __device__ void where_it_follows(int k, const F& f) const {
    if (use[k] == Follows::no) return;
    const FollowingNode<T, D>& of = all[k];
    f(of, use[k] == Follows::along ? of.mirror : across_alone(of.mirror));
  }
  // f(number) for all that node i has.
  template <class F>
  __device__ void for_each_at(std::size_t i, const F& f) const {
    if (!first || first[i] < 0) return;
    for (int k = first[i]; k < count && std::size_t(all[k].node) == i; ++k) f(k);
  }
  __device__ bool follows(std::size_t i, int collider) const {
    bool found = false;
    for_each_at(i, [&](int k) { found |= all[k].obstacle == collider && use[k] != Follows::no; });
    return found;
  }
  // Leaves of an unknown what velocities have of it.
  __device__ void keep_free(std::size_t i, DeviceNode<T>& u) const {
    for_each_at(i, [&](int k) {
      where_it_follows(k, [&](const auto&, const Mirror<T, D>& m) {
        set_velocity(free_part(m, weights[i] > T(0), velocity_of<T, D>(u)), u);
      });
    });
  }
};

// Appends all nodes that may follow others, in any order; counts also those that do not fit.
template <class T, int D, class Obstacles>
__global__ void __launch_bounds__(kContactThreads, kMirrorGroups<T, Obstacles>)
    find_followers_kernel(const __grid_constant__ View<T, D> view, KernelKind kernel,
                          FollowingNode<T, D>* found, int capacity, std::int32_t* count) {
  for_each_near_node<Obstacles>(view, [&](const NearNode& at) {
    const DeviceWalk<T, D> here(view, at.slot, at.node);
    for (int k = 0; k < at.n; ++k) {
      const int collider = at.near[k];
      if (view.mirror_pass[collider] < 0) continue;
      const MirrorIn<T, D, Obstacles> mirror(view, collider);
      if (!mirror.touches(here.block)) continue;
      const Mirror<T, D> m = mirror.of(here, kernel);
      if (m.axis < 0) continue;
      const int place = atomicAdd(count, 1);
      if (place >= capacity) continue;
      FollowingNode<T, D> f;
      f.node = static_cast<std::int64_t>(at.number);
      f.pass = view.mirror_pass[collider];
      f.obstacle = collider;
      for (int j = 0; j < 2; ++j)
        f.free[j] = here.moved(m.axis, m.direction * (m.depth + j)).number();
      f.mirror = m;
      found[place] = f;
    }
  });
}

// act(i) for the first n numbers.
template <class Act>
__global__ void __launch_bounds__(kVectorThreads)
    for_numbers_kernel(int n, const __grid_constant__ Act act) {
  const int i = blockIdx.x * kVectorThreads + threadIdx.x;
  if (i < n) act(i);
}

// Whether a node follows in this step; `pushes`: arenas of what the stress at its start gives.
template <class T, int D>
struct FindFollowing {
  View<T, D> view;
  FollowingView<T, D> following;
  const DeviceNode<T>*free, *pushes;
  const T* mass;
  T slack;

  __device__ void operator()(int k) const {
    const FollowingNode<T, D>& f = following.all[k];
    const T m = mass[f.node];
    bool held = m > T(0) && (has_mass(f.free[0]) || has_mass(f.free[1]));
    if (held) {
      const Vec<T, D> push = velocity_of<T, D>(arena_sum(view, pushes, std::size_t(f.node)));
      const Vec<T, D> moved = velocity_of<T, D>(load_node(free + f.node));
      held = is_held(f.mirror, moved + push * (T(1) / m), slack);
    }
    following.use[k] = held ? Follows::along : Follows::no;
  }
  __device__ bool has_mass(std::int64_t node) const { return node >= 0 && mass[node] > T(0); }
};
template <class T, int D>
struct FollowOneAlong {
  FollowingView<T, D> following;

  __device__ void operator()(int k) const {
    if (following.use[k] == Follows::no) return;
    for (int other = following.first[following.all[k].node]; other < k; ++other)
      if (following.use[other] != Follows::no) following.use[k] = Follows::across;
  }
};

// Followers of one round (mpm/follower_order.h), and the nodes that they give to.
struct FollowingRound {
  int first, count;                // of `order`
  int first_leader, leader_count;  // of `leaders`
};
struct FollowingRounds {
  const std::uint32_t* order = nullptr;      // numbers of followers, round by round
  const std::int64_t* leaders = nullptr;     // nodes that get something, round by round
  const std::int32_t* first_gift = nullptr;  // of each leader, and the end
  const std::uint32_t* gifts = nullptr;      // 2 x follower + which of its free nodes
};

template <class T, int D>
struct SpreadRound {
  FollowingView<T, D> following;
  const std::uint32_t* order;
  DeviceNode<T>* u;

  __device__ void operator()(int i) const {
    following.where_it_follows(order[i], [&](const FollowingNode<T, D>& f, const Mirror<T, D>& m) {
      Vec<T, D> free[2];
      for (int j = 0; j < 2; ++j)
        free[j] = f.free[j] < 0 ? Vec<T, D>::zero() : velocity_of<T, D>(load_node(u + f.free[j]));
      DeviceNode<T> node = load_node(u + f.node);
      set_velocity(mirrored_velocity(m, velocity_of<T, D>(node), free), node);
      store_node(u + f.node, node);
    });
  }
};

// What is folded: something that acts on nodes, or their weights.
template <class T, int D>
struct FoldedVector {
  DeviceNode<T>* at;

  __device__ Vec<T, D> load(std::int64_t node) const {
    return velocity_of<T, D>(load_node(at + node));
  }
  __device__ void store(std::int64_t node, const Vec<T, D>& value) const {
    DeviceNode<T> stored{};
    set_velocity(value, stored);
    store_node(at + node, stored);
  }
};
template <class T>
struct FoldedWeights {
  T* at;

  __device__ T load(std::int64_t node) const { return at[node]; }
  __device__ void store(std::int64_t node, T value) const { at[node] = value; }
};

// One round of folding: leaders take what their followers give, in a fixed order; after that these
// keep the rest.
template <class T, int D, class Folded>
struct GiveToLeaders {
  FollowingView<T, D> following;
  FollowingRounds rounds;
  int first_leader;
  const T* mass;
  Folded folded;

  __device__ void operator()(int i) const {
    const int leader = first_leader + i;
    const std::int64_t node = rounds.leaders[leader];
    if (!(mass[node] > T(0))) return;
    auto sum = folded.load(node);
    for (int g = rounds.first_gift[leader]; g < rounds.first_gift[leader + 1]; ++g)
      following.where_it_follows(
          rounds.gifts[g] / 2, [&](const FollowingNode<T, D>& f, const Mirror<T, D>& m) {
            sum += given_to(m, static_cast<int>(rounds.gifts[g] % 2), folded.load(f.node));
          });
    folded.store(node, sum);
  }
};
template <class T, int D, class Folded>
struct KeepRest {
  FollowingView<T, D> following;
  const std::uint32_t* order;
  Folded folded;

  __device__ void operator()(int i) const {
    following.where_it_follows(order[i], [&](const FollowingNode<T, D>& f, const Mirror<T, D>& m) {
      folded.store(f.node, kept_by(m, folded.load(f.node)));
    });
  }
};
// What mirrors give of the impulses that nodes need from obstacles, before KeepRest.
template <class T, int D>
struct GiveMirrorImpulses {
  View<T, D> view;
  FollowingView<T, D> following;
  const std::uint32_t* order;
  const T* mass;
  const DeviceNode<T>* impulses;

  __device__ void operator()(int i) const {
    following.where_it_follows(order[i], [&](const FollowingNode<T, D>& f, const Mirror<T, D>& m) {
      const Vec<T, D> here = velocity_of<T, D>(load_node(impulses + f.node));
      give(f.obstacle, f.node, here - kept_by(m, here));
      for (int j = 0; j < 2; ++j)
        if (f.free[j] >= 0 && mass[f.free[j]] > T(0))
          give(f.obstacle, f.free[j], Vec<T, D>::zero() - given_to(m, j, here));
    });
  }
  __device__ void give(int collider, std::int64_t node, const Vec<T, D>& impulse) const {
    constexpr int kNodes = BlockShape<D>::kNodes;
    const Vec3d x = node_position<D>(view.coord[view.control->parity][node / kNodes],
                                     static_cast<int>(node % kNodes), view.spacing);
    give_alone(view, collider, impulse_of(T(1), impulse), x);
  }
};

}  // namespace firn
