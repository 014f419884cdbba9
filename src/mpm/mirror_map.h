// Which nodes follow which across smooth walls at rest (collision/mirror.h), found when the contact
// map is built, and what a step does with it on the CPU.
#pragma once

#include "collision/mirror_passes.h"
#include "mpm/grid_update.h"
#include "mpm/mirror_fold.h"

namespace firn {

// A node of the block behind a mirror.
template <int D>
struct MirrorFollower {
  int pass;              // collision/mirror_passes.h
  int node, obstacle;    // of the block, of its list of obstacles
  std::int64_t free[2];  // the nodes that it follows, slot x kNodes + node; -1: none
  Mirror<double, D> mirror;
};
// A free node of the block that another one follows as its number `which`.
template <int D>
struct MirrorLeader {
  int pass, node, obstacle, which;
  std::int64_t follower;
  Mirror<double, D> mirror;
};
template <int D>
struct BlockMirrors {
  std::vector<MirrorLeader<D>> leaders;      // by pass, then by node
  std::vector<MirrorFollower<D>> followers;  // the same
};

template <int D>
class MirrorMap {
 public:
  void build(const BlockTopology<D>& blocks, const std::vector<Collider>& colliders,
             const ContactMap<D>& contacts, double h, KernelKind kernel);
  bool empty() const { return blocks_.empty(); }
  int passes() const { return passes_; }
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
  int passes_ = 0;
};

template <class T, int D>
Mirror<T, D> cast_mirror(const Mirror<double, D>& m) {
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

// Contact of the nodes of one block that has mirrors, after gravity, in place: mirrors of one pass
// change free nodes by what they read of nodes behind, or the other way round. `folded` has the
// masses of all nodes that mirrors fold (mpm/mirror_fold.h), and the passes that moved them in the
// lane of the mass.
template <class T, int D>
void begin_folding(const Node<T>* nodes, Node<T>* folded);
template <class T, int D>
void lead_nodes(const StepContext<T, D>& ctx, const BlockCoord<D>& coord,
                const std::vector<Collider>& colliders, const NodeObstacles<D>& near,
                const BlockMirrors<D>& mirrors, int pass, std::size_t first, Node<T>* grid,
                Node<T>* folded, Node<T>* change, ContactImpulse* given);
template <class T, int D>
void follow_nodes(const StepContext<T, D>& ctx, const BlockCoord<D>& coord,
                  const std::vector<Collider>& colliders, const NodeObstacles<D>& near,
                  const BlockMirrors<D>& mirrors, int pass, std::size_t first, Node<T>* grid,
                  const Node<T>* folded, Node<T>* change, ContactImpulse* given);
// What is left after the last pass: obstacles of the block that are no mirrors, or let go.
template <class T, int D>
void meet_rest(const StepContext<T, D>& ctx, const BlockCoord<D>& coord,
               const std::vector<Collider>& colliders, const NodeObstacles<D>& near,
               const BlockMirrors<D>& mirrors, const Node<T>* folded, Node<T>* nodes,
               Node<T>* change, T* grip, ContactImpulse* given);

}  // namespace firn
