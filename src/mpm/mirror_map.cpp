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
  // The block that holds a place, -1 where there is none or it is not next to this one.
  int find(const Place& p, int& node) const {
    const Vec<int, D> offset = block_offset(p);
    node = 0;
    for (int a = 0; a < D; ++a) {
      if (p.at[a] < -kEdge || p.at[a] >= 2 * kEdge) return -1;
      node = node * kEdge + p.at[a] - offset[a] * kEdge;
    }
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
  int number, pass;  // of the collider
  KernelKind kernel;
  double h;

  Mirror<double, D> mirror_at(const Place& p) const {
    return mirror_of<double, D>(collider, kernel, h, [&](int axis, int steps) {
      return walk.distance(number, Walk::moved(p, axis, steps));
    });
  }
  void find_follower(const Place& p, int node, int obstacle, BlockMirrors<D>& found) const {
    MirrorFollower<D> f{pass, node, obstacle, {-1, -1}, mirror_at(p)};
    if (f.mirror.axis < 0) return;
    for (int j = 0; j < 2; ++j)
      f.free[j] =
          walk.number(Walk::moved(p, f.mirror.axis, f.mirror.direction * (f.mirror.depth + j)));
    found.followers.push_back(f);
  }
  void find_leaders(const Place& p, int node, int obstacle, BlockMirrors<D>& found) const {
    for (int axis = 0; axis < D; ++axis)
      for (int direction = -1; direction <= 1; direction += 2)
        for (int steps = 1; steps <= kMirrorDepth + 1; ++steps) {
          if (!may_follow_along(collider, axis, direction, D)) continue;
          const Place behind = Walk::moved(p, axis, -direction * steps);
          if (walk.distance(number, behind).distance > 0) continue;
          const Mirror<double, D> m = mirror_at(behind);
          const int which = steps - m.depth;
          if (m.axis != axis || m.direction != direction || which < 0 || which > 1) continue;
          if (m.across[which] == 0 && m.along[which] == 0) continue;
          const std::int64_t follower = walk.number(behind);
          if (follower >= 0) found.leaders.push_back({pass, node, obstacle, which, follower, m});
        }
  }
};

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
  const std::vector<int> pass_of = mirror_passes(colliders, h);
  passes_ = pass_of.empty() ? 0 : *std::max_element(pass_of.begin(), pass_of.end()) + 1;
  if (passes_ == 0) return;
  mirrors_.resize(blocks.size());
  parallel_for("mirrors", blocks.size(), 64, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t slot = begin; slot < end; ++slot) {
      const std::vector<int>& near = contacts.of_block(static_cast<int>(slot));
      const NodeWalk<D> walk(blocks, contacts, colliders, h, static_cast<int>(slot));
      for (int pass = 0; pass < passes_ && !near.empty(); ++pass)
        for (std::size_t k = 0; k < near.size(); ++k) {
          if (pass_of[near[k]] != pass) continue;
          const MirrorSearch<D> search{walk, colliders[near[k]], near[k], pass, kernel, h};
          for (int node = 0; node < BlockShape<D>::kNodes; ++node) {
            const auto place = NodeWalk<D>::place(node);
            const double distance = walk.distance(near[k], place).distance;
            if (distance <= 0)
              search.find_follower(place, node, static_cast<int>(k), mirrors_[slot]);
            else if (distance < kMirrorReach * h)
              search.find_leaders(place, node, static_cast<int>(k), mirrors_[slot]);
          }
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

namespace {

template <class T, int D>
FoldedNode<T, D> folded_node(const Node<T>& node, const Node<T>& folded) {
  return {velocity_of<D>(node), velocity_of<D>(folded)};
}

// Gives a node a new velocity.
template <class T, int D>
void change_node(const Collider& collider, const Vec3d& x, const Vec<T, D>& after, Node<T>& node,
                 Node<T>* change, ContactImpulse& given) {
  const Vec<T, D> by = after - velocity_of<D>(node);
  give<T, D>(collider, x, node[kMassLane], by, given);
  for (int a = 0; a < D; ++a) {
    if (change) change->set(a, (*change)[a] + by[a]);
    node.set(a, after[a]);
  }
}

// The entries of one pass in a list that is sorted by it.
template <class Entry>
auto of_pass(const std::vector<Entry>& entries, int pass) {
  const auto before = [](const Entry& e, int p) { return e.pass < p; };
  const auto begin = std::lower_bound(entries.begin(), entries.end(), pass, before);
  return std::pair{begin, std::lower_bound(begin, entries.end(), pass + 1, before)};
}

// Whether one of the nodes that it follows has mass.
template <class T, int D>
bool is_led(const MirrorFollower<D>& f, const Node<T>* grid) {
  for (int j = 0; j < 2; ++j)
    if (f.free[j] >= 0 && grid[f.free[j]][kMassLane] > T(0)) return true;
  return false;
}

}  // namespace

template <class T, int D>
void begin_folding(const Node<T>* nodes, Node<T>* folded) {
  for (int i = 0; i < BlockShape<D>::kNodes; ++i) {
    folded[i] = Node<T>(nodes[i][kMassLane]);
    folded[i].set(kMassLane, T(0));
  }
}

template <class T, int D>
void lead_nodes(const StepContext<T, D>& ctx, const BlockCoord<D>& coord,
                const std::vector<Collider>& colliders, const NodeObstacles<D>& near,
                const BlockMirrors<D>& mirrors, int pass, std::size_t first, Node<T>* grid,
                Node<T>* folded, Node<T>* change, ContactImpulse* given) {
  const auto [follower, last_follower] = of_pass(mirrors.followers, pass);
  for (auto f = follower; f != last_follower; ++f) {
    const Node<T>& node = grid[first + f->node];
    Node<T>& moved = folded[first + f->node];
    const Mirror<T, D> m = cast_mirror<T, D>(f->mirror);
    if (node[kMassLane] > T(0) && is_led<T, D>(*f, grid) && m.holds(velocity_of<D>(node)))
      moved.set(kMassLane, with_pass(moved[kMassLane], pass));
  }
  const auto [leader, last_leader] = of_pass(mirrors.leaders, pass);
  for (auto it = leader; it != last_leader;) {
    const int node = it->node, obstacle = it->obstacle;
    Node<T>& led = grid[first + node];
    Node<T>& masses = folded[first + node];
    const T mass = led[kMassLane];
    MirrorFold<T, D> fold(folded_node<T, D>(led, masses), mass > T(0) ? mass : T(1));
    for (; it != last_leader && it->node == node && it->obstacle == obstacle; ++it) {
      const Node<T>& behind = grid[it->follower];
      const Mirror<T, D> m = cast_mirror<T, D>(it->mirror);
      if (mass > T(0) && behind[kMassLane] > T(0) && m.holds(velocity_of<D>(behind)))
        fold.add(m, it->which, folded_node<T, D>(behind, folded[it->follower]));
    }
    if (!fold.any()) continue;
    const FoldedNode<T, D> after = fold.node();
    change_node<T, D>(colliders[near.colliders[obstacle]],
                      node_position<D>(coord, node, ctx.spacing), after.velocity, led,
                      change ? change + node : nullptr, given[obstacle]);
    for (int a = 0; a < D; ++a) masses.set(a, after.mass[a]);
  }
}

template <class T, int D>
void follow_nodes(const StepContext<T, D>& ctx, const BlockCoord<D>& coord,
                  const std::vector<Collider>& colliders, const NodeObstacles<D>& near,
                  const BlockMirrors<D>& mirrors, int pass, std::size_t first, Node<T>* grid,
                  const Node<T>* folded, Node<T>* change, ContactImpulse* given) {
  const auto [begin, end] = of_pass(mirrors.followers, pass);
  for (auto f = begin; f != end; ++f) {
    if (!moved_in_pass(folded[first + f->node][kMassLane], pass)) continue;
    Vec<T, D> free[2];
    for (int j = 0; j < 2; ++j)
      free[j] = f->free[j] < 0 ? Vec<T, D>::zero() : velocity_of<D>(grid[f->free[j]]);
    Node<T>& node = grid[first + f->node];
    change_node<T, D>(colliders[near.colliders[f->obstacle]],
                      node_position<D>(coord, f->node, ctx.spacing),
                      mirrored_velocity(cast_mirror<T, D>(f->mirror), velocity_of<D>(node), free),
                      node, change ? change + f->node : nullptr, given[f->obstacle]);
  }
}

template <class T, int D>
void meet_rest(const StepContext<T, D>& ctx, const BlockCoord<D>& coord,
               const std::vector<Collider>& colliders, const NodeObstacles<D>& near,
               const BlockMirrors<D>& mirrors, const Node<T>* folded, Node<T>* nodes,
               Node<T>* change, T* grip, ContactImpulse* given) {
  std::uint64_t settled[BlockShape<D>::kNodes] = {};  // obstacles whose contact is
  for (const MirrorFollower<D>& f : mirrors.followers)
    if (f.obstacle < 64 && moved_in_pass(folded[f.node][kMassLane], f.pass))
      settled[f.node] |= std::uint64_t(1) << f.obstacle;
  for (int i = 0; i < BlockShape<D>::kNodes; ++i) {
    const T mass = nodes[i][kMassLane];
    if (!(mass > T(0))) {
      if (grip) grip[i] = T(0);
      continue;
    }
    const Vec<T, D> before = velocity_of<D>(nodes[i]);
    const Vec<T, D> v = meet_others<T, D>(ctx, colliders, near, i, settled[i],
                                          node_position<D>(coord, i, ctx.spacing), before, mass,
                                          grip ? grip + i : nullptr, given);
    for (int a = 0; a < D; ++a) {
      if (change) change[i].set(a, change[i][a] + v[a] - before[a]);
      nodes[i].set(a, v[a]);
    }
  }
}

template class MirrorMap<2>;
template class MirrorMap<3>;
#define FIRN_INSTANTIATE(T, D)                                                                  \
  template void begin_folding<T, D>(const Node<T>*, Node<T>*);                                  \
  template void lead_nodes<T, D>(const StepContext<T, D>&, const BlockCoord<D>&,                \
                                 const std::vector<Collider>&, const NodeObstacles<D>&,         \
                                 const BlockMirrors<D>&, int, std::size_t, Node<T>*, Node<T>*,  \
                                 Node<T>*, ContactImpulse*);                                    \
  template void follow_nodes<T, D>(const StepContext<T, D>&, const BlockCoord<D>&,              \
                                   const std::vector<Collider>&, const NodeObstacles<D>&,       \
                                   const BlockMirrors<D>&, int, std::size_t, Node<T>*,          \
                                   const Node<T>*, Node<T>*, ContactImpulse*);                  \
  template void meet_rest<T, D>(const StepContext<T, D>&, const BlockCoord<D>&,                 \
                                const std::vector<Collider>&, const NodeObstacles<D>&,          \
                                const BlockMirrors<D>&, const Node<T>*, Node<T>*, Node<T>*, T*, \
                                ContactImpulse*);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
