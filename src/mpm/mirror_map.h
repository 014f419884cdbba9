// Which nodes follow which across smooth walls at rest (collision/mirror.h), found when the contact
// map is built, and what a step does with it on the CPU.
#pragma once

#include "mpm/grid_update.h"
#include "mpm/mirror_fold.h"

namespace firn {

// A node of the block behind a mirror.
template <int D>
struct MirrorFollower {
  int node, obstacle;    // of the block, of its list of obstacles
  std::int64_t free[2];  // the nodes that it follows, slot x kNodes + node; -1: none
  Mirror<double, D> mirror;
};
// A free node of the block that another one follows as its number `which`.
template <int D>
struct MirrorLeader {
  int node, obstacle, which;
  std::int64_t follower;
  Mirror<double, D> mirror;
};
template <int D>
struct BlockMirrors {
  std::vector<MirrorLeader<D>> leaders;      // by node, then by obstacle
  std::vector<MirrorFollower<D>> followers;  // the same
};

template <int D>
class MirrorMap {
 public:
  void build(const BlockTopology<D>& blocks, const std::vector<Collider>& colliders,
             const ContactMap<D>& contacts, double h, KernelKind kernel);
  bool empty() const { return blocks_.empty(); }
  // The blocks that have any, and what each of all blocks has.
  const std::vector<int>& blocks() const { return blocks_; }
  const BlockMirrors<D>& of_block(int slot) const { return mirrors_[slot]; }
  bool has(int slot) const {
    return !mirrors_.empty() &&
           !(mirrors_[slot].leaders.empty() && mirrors_[slot].followers.empty());
  }

 private:
  std::vector<BlockMirrors<D>> mirrors_;
  std::vector<int> blocks_;
};

// Contact of the nodes of one block that has mirrors. `grid` is all nodes after gravity; the first
// part writes the block's nodes to `led`, where those that are followed have what the followers
// give them, the second from there to `nodes`, with followers and all other contact.
template <class T, int D>
void lead_nodes(const BlockCoord<D>& coord, double h, const std::vector<Collider>& colliders,
                const NodeObstacles<D>& near, const BlockMirrors<D>& mirrors, const Node<T>* grid,
                std::size_t first, Node<T>* led, ContactImpulse* given);
template <class T, int D>
void follow_nodes(const StepContext<T, D>& ctx, const BlockCoord<D>& coord,
                  const std::vector<Collider>& colliders, const NodeObstacles<D>& near,
                  const BlockMirrors<D>& mirrors, const Node<T>* led, std::size_t first,
                  Node<T>* nodes, Node<T>* change, T* grip, ContactImpulse* given);

}  // namespace firn
