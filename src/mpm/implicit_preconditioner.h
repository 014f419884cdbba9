// A rough inverse of I + M^-1 K: node by node by the diagonal of K or its blocks of D x D, to which
// `multigrid` adds what coarser grids find.
#pragma once

#include "mpm/few_nodes.h"
#include "mpm/implicit_material.h"
#include "mpm/implicit_multigrid.h"
#include "mpm/implicit_space.h"
#include "mpm/operators.h"

namespace firn {

template <class T, int D>
class NodePreconditioner {
 public:
  using Vector = typename NodeSpace<T, D>::Vector;

  NodePreconditioner(const NodeSpace<T, D>& space, PreconditionerKind kind)
      : space_(space), kind_(kind) {}

  // From the tangents of the particles, of which `share` counts; add_more(add) may add(node, part)
  // what else acts on nodes, a symmetric matrix each, and add_closed(add) may add(node, part) the
  // projection on directions that a node must not take; for_near(visit): of all nodes that they may
  // name in this step.
  template <class ForNear, class AddMore, class AddClosed>
  void build(const StepContext<T, D>& ctx, const Particles<T, D>& all, Operators<T, D>& operators,
             const std::vector<ImplicitMaterial<T, D>>& materials,
             const std::vector<Columns<T>>& tangents, double share, const ForNear& for_near,
             const AddMore& add_more, const AddClosed& add_closed) {
    if (kind_ == PreconditionerKind::none) return;
    // Particles change little within a step, other things may.
    if (share != share_) {
      share_ = share;
      sum_particles(ctx, all, operators, materials, tangents);
      if (kind_ == PreconditionerKind::multigrid)
        coarse_.build(all.blocks, space_.mass(), diagonal_, beside_, share, ctx.spacing);
      near_.begin(space_.size());
      for_near([&](std::size_t node) { near_.at(node, {diagonal_[node], beside_[node]}); });
      space_.for_nodes([&](std::size_t node) { invert(node); });
    }
    for (std::size_t k = 0; k < near_.size(); ++k) {
      diagonal_[near_.node(k)] = near_.value(k).on;
      beside_[near_.node(k)] = near_.value(k).beside;
    }
    add_more([&](std::size_t node, const SymMat<T, D>& part) {
      add(part, T(1 / share), diagonal_[node], beside_[node]);
    });
    if (kind_ == PreconditionerKind::multigrid) {
      const auto spring = [&](std::size_t node) -> SymMat<T, D>& {
        return coarse_.springs().at(node, SymMat<T, D>::isotropic(T(0)));
      };
      add_more([&](std::size_t node, const SymMat<T, D>& part) {
        add_scaled(part, T(1), spring(node));
      });
      add_closed([&](std::size_t node, const SymMat<T, D>& part) {
        T own = T(0);
        for (int a = 0; a < D; ++a) own += diagonal_[node][a];
        add_scaled(part, closed_spring(T(share) * own, space_.mass()[node]), spring(node));
      });
      coarse_.set_springs();
    }
    for (std::size_t k = 0; k < near_.size(); ++k) invert(near_.node(k));
  }
  void apply(const Vector& r, Vector& z) const;
  std::size_t bytes() const { return 2 * diagonal_.bytes() + near_.bytes() + coarse_.bytes(); }

 private:
  void sum_particles(const StepContext<T, D>& ctx, const Particles<T, D>& all,
                     Operators<T, D>& operators,
                     const std::vector<ImplicitMaterial<T, D>>& materials,
                     const std::vector<Columns<T>>& tangents);
  static void add(const SymMat<T, D>& part, T scale, Node<T>& diagonal, Node<T>& beside) {
    Node<T> on(0), off(0);
    for (int a = 0, at = 0; a < D; ++a) {
      on.set(a, scale * part(a, a));
      for (int b = a + 1; b < D; ++b) off.set(at++, scale * part(a, b));
    }
    diagonal = diagonal + on;
    beside = beside + off;
  }
  static void add_scaled(const SymMat<T, D>& part, T scale, SymMat<T, D>& to) {
    for (int k = 0; k < SymMat<T, D>::kSize; ++k) to.e[k] += scale * part.e[k];
  }
  void invert(std::size_t node);

  const NodeSpace<T, D>& space_;
  PreconditionerKind kind_;
  // Entries of a symmetric matrix a node: on the diagonal, and beside it.
  Buffer<Node<T>> diagonal_, beside_;
  double share_ = 0;  // of which they are
  struct NodeSum {
    Node<T> on, beside;
  };
  FewNodes<NodeSum> near_;  // over particles, before it is inverted
  mutable GridMultigrid<T, D> coarse_;
};

}  // namespace firn
