// Obstacles within an implicit step. Every node near one has a set of velocities that it may have:
// one alone (held by a sticky obstacle or a pin), or those that keep it out of the obstacles, whose
// normals are fixed in the step. Friction is a potential f |v_t| of the sliding velocity: f, at
// most mu times the normal impulse, is given for a solve and found again after it, until it no
// longer changes. What should rest therefore rests: its sliding velocity is exactly zero.
#pragma once

#include <limits>
#include <vector>

#include "mpm/grid_update.h"
#include "mpm/implicit_mirror.h"
#include "mpm/implicit_node.h"
#include "mpm/implicit_space.h"

namespace firn {

template <class T, int D>
class NodeContactSet {
 public:
  using Vector = typename NodeSpace<T, D>::Vector;

  // Nodes that have mass and are near obstacles, for a step of ctx.dt. With `far` those too that
  // would meet one on their way, at their free velocities v. Those that follow others behind a
  // mirror are not stopped by it, nor are free ones before it.
  void build(const StepContext<T, D>& ctx, const BlockTopology<D>& blocks,
             const std::vector<Collider>& colliders, const ContactMap<D>& map,
             const Buffer<T>& mass, const Vector& v, bool far,
             const FollowingNodes<T, D>* mirrors = nullptr);
  bool empty() const { return nodes_.empty(); }
  // Of the speeds that a solve may meet: what of them is rounding counts as rest.
  void set_scale(const Vector& v);

  // Friction f of all nodes, N s: as a force of the last step (N, by node of the grid), and back.
  void start_friction(const T* force, T dt);
  void keep_friction(T dt, T* force) const;
  bool rubs() const { return rubs_; }
  // From the impulse that the nodes of a solution need from obstacles, m g. Gives how much it
  // changed, of the larger one.
  double update_friction(const Vector& v, const Vector& gradient);

  // Constraints, as solvers/problem.h asks for them.
  bool project(Vector& v, Vector* direction) const;
  void register_active(const Vector& v, const Vector& gradient);
  void filter(Vector& d) const;
  bool close_met(const Vector& v, const Vector& d);

  // Friction's part of the objective, of its gradient at v and of the product with its Hessian at
  // the velocities of register_active.
  double friction_energy(const Vector& v) const;
  void add_friction_gradient(const Vector& v, Vector& gradient) const;
  void add_friction_product(const Vector& d, Vector& out) const;
  // add(node, part): the node's own block of that Hessian, times its mass.
  template <class Add>
  void add_friction_blocks(const Add& add) const {
    for (const NearNode& n : nodes_) {
      SymMat<T, D> part;
      if (friction_block(n, sole(n), part)) add(n.node, part);
    }
  }

  // add(node, part): the projection on the directions that are closed to it.
  template <class Add>
  void add_closed(const Add& add) const {
    for (const NearNode& n : nodes_) {
      SymMat<T, D> part;
      if (closed_part(n, part)) add(n.node, part);
    }
  }

  template <class Visit>
  void for_each_node(const Visit& visit) const {
    for (const NearNode& n : nodes_) visit(n.node);
  }

  // What each obstacle gave to the nodes near it: given[slot][k].
  void give_impulses(const Vector& v, const Vector& gradient,
                     const std::vector<Collider>& colliders, double spacing,
                     const BlockTopology<D>& blocks,
                     std::vector<std::vector<ContactImpulse>>& given) const;

 private:
  struct NearNode : ContactNode<T, D> {
    std::size_t node = 0;
    int first = 0, count = 0;  // of contacts_
  };

  const Contact<T, D>* contacts_of(const NearNode& n) const { return contacts_.data() + n.first; }
  // The contact whose surface the node slides on: the one that presses most.
  const Contact<T, D>& sole(const NearNode& n) const { return contacts_[n.first]; }
  template <class F>
  void for_each(const F& f) const;

  std::vector<NearNode> nodes_;
  std::vector<Contact<T, D>> contacts_;
  struct Place {
    int in_block, collider;  // in the list of the block, and of all
  };
  std::vector<Place> places_;  // of each contact
  bool rubs_ = false;
  ContactStep<T> step_;
};

}  // namespace firn
