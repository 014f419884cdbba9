// Smooth walls at rest within an implicit step: nodes behind them follow free ones, as
// collision/mirror.h has it. The unknowns u of a solve are what is free; v = P u are the velocities
// of all nodes, and what acts on these goes back by the transpose. Nothing is lumped: the objective
// is that of P u with all masses, in a product of weights that P^T gives the free nodes.
#pragma once

#include <vector>

#include "mpm/implicit_follower.h"
#include "mpm/implicit_space.h"
#include "mpm/mirror_map.h"

namespace firn {

template <class T, int D>
class FollowingNodes {
 public:
  using Vector = typename NodeSpace<T, D>::Vector;

  // `trial`: velocities after the stress and gravity at the start of the step. A node behind a
  // separating wall that moves out of it by more than `slack` is let go.
  void build(const MirrorMap<D>& map, const Buffer<T>& mass, const Vector& trial, T slack);
  bool empty() const { return followers_.empty(); }
  // Of the unknowns, kg: 0 where there is none.
  const Buffer<T>& weights() const { return weights_; }
  const Buffer<T>& mass() const { return *mass_; }
  // Whether a node follows others because of an obstacle of its block's list.
  bool follows(std::size_t node, int obstacle) const {
    return obstacle < 64 && !settled_.empty() && (settled_[node] >> obstacle & 1) != 0;
  }

  void spread(Vector& u) const;
  void fold(Vector& f) const;
  // Leaves of u what P does not make nothing of.
  void keep_free(Vector& u) const;

  // add(node, part): the projection on the normal of the wall, at the nodes next to it.
  template <class Add>
  void add_closed(const Add& add) const {
    for (const Follower& f : followers_) {
      if (f.mirror.depth != 1) continue;
      const std::int64_t at = weights_[f.node] > T(0) ? f.node : f.free[0];
      if (at < 0) continue;
      SymMat<T, D> part;
      for (int i = 0; i < D; ++i)
        for (int j = i; j < D; ++j) part(i, j) = f.mirror.normal[i] * f.mirror.normal[j];
      add(std::size_t(at), part);
    }
  }

  // `impulses`: what all nodes need from obstacles, kg m/s; what mirrors give of it is added to
  // given[slot][k].
  void give_impulses(Vector& impulses, const std::vector<Collider>& colliders,
                     const ContactMap<D>& map, const BlockTopology<D>& blocks, double spacing,
                     std::vector<std::vector<ContactImpulse>>& given) const;

 private:
  using Follower = FollowingNode<T, D>;  // obstacles: of the list of their block

  void put_in_order();
  void weigh();

  std::vector<Follower> followers_;     // in the order of folding
  std::vector<std::uint64_t> settled_;  // by node: obstacles whose mirrors it follows
  const Buffer<T>* mass_ = nullptr;
  Buffer<T> weights_;
};

}  // namespace firn
