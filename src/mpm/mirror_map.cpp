#include "mpm/mirror_map.h"

#include <algorithm>

namespace firn {
namespace {

// Nodes around those of one block, also beyond its border.
template <int D>
class NodeWalk {
 public:
  static constexpr int kEdge = BlockShape<D>::kEdge, kNodes = BlockShape<D>::kNodes;

  NodeWalk(const BlockTopology<D>& blocks, const ContactMap<D>& contacts,
           const std::vector<Collider>& colliders, double h, int slot)
      : blocks_(blocks), contacts_(contacts), colliders_(colliders), h_(h), slot_(slot) {}

  struct Place {
    Vec<int, D> at;  // nodes from the block's first one
  };
  static Place place(int node) {
    Place p;
    for (int a = D - 1; a >= 0; --a, node /= kEdge) p.at[a] = node % kEdge;
    return p;
  }
  static Place moved(Place p, int axis, int steps) {
    p.at[axis] += steps;
    return p;
  }
  // Slot x kNodes + node, -1 where there is no such block.
  std::int64_t number(const Place& p) const {
    int node = 0;
    const int slot = find(p, node);
    return slot < 0 ? -1 : std::int64_t(slot) * kNodes + node;
  }
  DistanceAndNormal distance(int collider, const Place& p) const {
    int node = 0;
    const int slot = find(p, node);
    if (slot >= 0 && same_side(p, slot)) {
      const NodeObstacles<D>& near = contacts_.of_nodes(slot);
      const auto it = std::find(near.colliders.begin(), near.colliders.end(), collider);
      if (it != near.colliders.end())
        return near.distances[std::size_t(it - near.colliders.begin()) * kNodes + node];
    }
    Vec3d x{{0, 0, 0}};
    for (int a = 0; a < D; ++a) x[a] = (double(blocks_.coord(slot_)[a]) * kEdge + p.at[a]) * h_;
    return node_distance(colliders_[collider], x, h_);
  }

 private:
  Vec<int, D> block_offset(const Place& p) const {
    Vec<int, D> offset;
    for (int a = 0; a < D; ++a) offset[a] = p.at[a] < 0 ? -1 : p.at[a] >= kEdge ? 1 : 0;
    return offset;
  }
  int find(const Place& p, int& node) const {
    const Vec<int, D> offset = block_offset(p);
    node = 0;
    for (int a = 0; a < D; ++a) node = node * kEdge + p.at[a] - offset[a] * kEdge;
    return blocks_.neighbors(slot_)[neighbor_code<D>(offset)];
  }
  // Not the block at the other end of a periodic axis, where distances are others.
  bool same_side(const Place& p, int slot) const {
    const Vec<int, D> offset = block_offset(p);
    for (int a = 0; a < D; ++a)
      if (blocks_.coord(slot)[a] != blocks_.coord(slot_)[a] + offset[a]) return false;
    return true;
  }

  const BlockTopology<D>& blocks_;
  const ContactMap<D>& contacts_;
  const std::vector<Collider>& colliders_;
  double h_;
  int slot_;
};

template <int D>
struct MirrorSearch {
  using Walk = NodeWalk<D>;
  using Place = typename Walk::Place;

  const Walk& walk;
  const Collider& collider;
  int number;  // of the collider
  KernelKind kernel;
  double h;

  Mirror<double, D> mirror_at(const Place& p) const {
    return mirror_of<double, D>(collider, kernel, h, [&](int axis, int steps) {
      return walk.distance(number, Walk::moved(p, axis, steps));
    });
  }
  void find_follower(const Place& p, int node, int obstacle, BlockMirrors<D>& found) const {
    MirrorFollower<D> f{node, obstacle, {-1, -1}, mirror_at(p)};
    if (f.mirror.axis < 0) return;
    for (int j = 0; j < 2; ++j)
      f.free[j] =
          walk.number(Walk::moved(p, f.mirror.axis, f.mirror.direction * (f.mirror.depth + j)));
    found.followers.push_back(f);
  }
  void find_leaders(const Place& p, int node, int obstacle, BlockMirrors<D>& found) const {
    for (int axis = 0; axis < D; ++axis)
      for (int direction = -1; direction <= 1; direction += 2)
        for (int steps = 1; steps <= 3; ++steps) {
          if (!may_follow_along(collider, axis, direction, D)) continue;
          const Place behind = Walk::moved(p, axis, -direction * steps);
          if (walk.distance(number, behind).distance > 0) continue;
          const Mirror<double, D> m = mirror_at(behind);
          const int which = steps - m.depth;
          if (m.axis != axis || m.direction != direction || which < 0 || which > 1) continue;
          if (m.across[which] == 0 && m.along[which] == 0) continue;
          const std::int64_t follower = walk.number(behind);
          if (follower >= 0) found.leaders.push_back({node, obstacle, which, follower, m});
        }
  }
};

template <class T, int D>
Mirror<T, D> cast(const Mirror<double, D>& m) {
  Mirror<T, D> r;
  r.axis = m.axis;
  r.direction = m.direction;
  r.depth = m.depth;
  r.always = m.always;
  for (int j = 0; j < 2; ++j) {
    r.across[j] = T(m.across[j]);
    r.along[j] = T(m.along[j]);
  }
  for (int a = 0; a < D; ++a) r.normal[a] = T(m.normal[a]);
  return r;
}

template <int D, class T>
Vec<T, D> velocity_of(const Node<T>& node) {
  Vec<T, D> v;
  for (int a = 0; a < D; ++a) v[a] = node[a];
  return v;
}

template <class T, int D>
void give(const Collider& collider, const Vec3d& x, T mass, const Vec<T, D>& change,
          ContactImpulse& given) {
  Vec3d impulse{{0, 0, 0}};
  for (int a = 0; a < D; ++a) impulse[a] = double(mass) * double(change[a]);
  given.add({impulse, cross(x - reference_point(collider), impulse)});
}

}  // namespace

template <int D>
void MirrorMap<D>::build(const BlockTopology<D>& blocks, const std::vector<Collider>& colliders,
                         const ContactMap<D>& contacts, double h, KernelKind kernel) {
  mirrors_.clear();
  blocks_.clear();
  if (std::none_of(colliders.begin(), colliders.end(), is_mirror)) return;
  mirrors_.resize(blocks.size());
  parallel_for("mirrors", blocks.size(), 64, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t slot = begin; slot < end; ++slot) {
      const std::vector<int>& near = contacts.of_block(static_cast<int>(slot));
      if (near.empty()) continue;
      const NodeWalk<D> walk(blocks, contacts, colliders, h, static_cast<int>(slot));
      for (int node = 0; node < BlockShape<D>::kNodes; ++node)
        for (std::size_t k = 0; k < near.size(); ++k) {
          const Collider& c = colliders[near[k]];
          if (!is_mirror(c)) continue;
          const MirrorSearch<D> search{walk, c, near[k], kernel, h};
          const auto place = NodeWalk<D>::place(node);
          const double distance = walk.distance(near[k], place).distance;
          if (distance <= 0)
            search.find_follower(place, node, static_cast<int>(k), mirrors_[slot]);
          else if (distance < 2.5 * h)
            search.find_leaders(place, node, static_cast<int>(k), mirrors_[slot]);
        }
    }
  });
  for (int slot = 0; slot < blocks.size(); ++slot)
    if (has(slot)) blocks_.push_back(slot);
  // A free node that is not led by what follows it counts as none.
  for (BlockMirrors<D>& block : mirrors_)
    for (MirrorFollower<D>& f : block.followers)
      for (int j = 0; j < 2; ++j)
        if (f.free[j] >= 0 && !has(static_cast<int>(f.free[j] / BlockShape<D>::kNodes)))
          f.free[j] = -1;
}

template <class T, int D>
void lead_nodes(const BlockCoord<D>& coord, double h, const std::vector<Collider>& colliders,
                const NodeObstacles<D>& near, const BlockMirrors<D>& mirrors, const Node<T>* grid,
                std::size_t first, Node<T>* led, ContactImpulse* given) {
  std::copy(grid + first, grid + first + BlockShape<D>::kNodes, led);
  for (auto it = mirrors.leaders.begin(); it != mirrors.leaders.end();) {
    const int node = it->node, obstacle = it->obstacle;
    const T mass = led[node][kMassLane];
    const Vec<T, D> v = velocity_of<D>(led[node]);
    MirrorFold<T, D> fold(v, mass);
    for (; it != mirrors.leaders.end() && it->node == node && it->obstacle == obstacle; ++it) {
      const Node<T>& behind = grid[it->follower];
      const Mirror<T, D> m = cast<T, D>(it->mirror);
      const Vec<T, D> its = velocity_of<D>(behind);
      if (mass > T(0) && behind[kMassLane] > T(0) && m.holds(its))
        fold.add(m, it->which, its, behind[kMassLane]);
    }
    if (!fold.any()) continue;
    const Vec<T, D> after = fold.velocity();
    give<T, D>(colliders[near.colliders[obstacle]], node_position<D>(coord, node, h), mass,
               after - v, given[obstacle]);
    for (int a = 0; a < D; ++a) led[node].set(a, after[a]);
  }
}

template <class T, int D>
void follow_nodes(const StepContext<T, D>& ctx, const BlockCoord<D>& coord,
                  const std::vector<Collider>& colliders, const NodeObstacles<D>& near,
                  const BlockMirrors<D>& mirrors, const Node<T>* led, std::size_t first,
                  Node<T>* nodes, Node<T>* change, T* grip, ContactImpulse* given) {
  auto follower = mirrors.followers.begin();
  const std::vector<int>& list = near.colliders;
  for (int i = 0; i < BlockShape<D>::kNodes; ++i) {
    const T mass = nodes[i][kMassLane];
    const Vec<T, D> before = velocity_of<D>(nodes[i]);
    Vec<T, D> v = velocity_of<D>(led[first + i]);
    std::uint64_t mirrored = 0;  // obstacles whose contact is settled
    for (; follower != mirrors.followers.end() && follower->node == i; ++follower) {
      const Mirror<T, D> m = cast<T, D>(follower->mirror);
      Vec<T, D> free[2];
      T led_mass(0);
      for (int j = 0; j < 2; ++j) {
        const Node<T> to = follower->free[j] < 0 ? Node<T>(0) : led[follower->free[j]];
        free[j] = velocity_of<D>(to);
        led_mass += to[kMassLane];
      }
      if (!(mass > T(0)) || !(led_mass > T(0)) || !m.holds(before)) continue;
      const Vec<T, D> after = mirrored_velocity(m, v, free);
      give<T, D>(colliders[list[follower->obstacle]], node_position<D>(coord, i, ctx.spacing), mass,
                 after - v, given[follower->obstacle]);
      v = after;
      if (follower->obstacle < 64) mirrored |= std::uint64_t(1) << follower->obstacle;
    }
    if (!(mass > T(0))) {
      if (grip) grip[i] = T(0);
      continue;
    }
    const Vec3d x = node_position<D>(coord, i, ctx.spacing);
    v = meet_others<T, D>(ctx, colliders, near, i, mirrored, x, v, mass, grip ? grip + i : nullptr,
                          given);
    for (int a = 0; a < D; ++a) {
      if (change) change[i].set(a, change[i][a] + v[a] - before[a]);
      nodes[i].set(a, v[a]);
    }
  }
}

template class MirrorMap<2>;
template class MirrorMap<3>;
#define FIRN_INSTANTIATE(T, D)                                                                    \
  template void lead_nodes<T, D>(const BlockCoord<D>&, double, const std::vector<Collider>&,      \
                                 const NodeObstacles<D>&, const BlockMirrors<D>&, const Node<T>*, \
                                 std::size_t, Node<T>*, ContactImpulse*);                         \
  template void follow_nodes<T, D>(const StepContext<T, D>&, const BlockCoord<D>&,                \
                                   const std::vector<Collider>&, const NodeObstacles<D>&,         \
                                   const BlockMirrors<D>&, const Node<T>*, std::size_t, Node<T>*, \
                                   Node<T>*, T*, ContactImpulse*);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
