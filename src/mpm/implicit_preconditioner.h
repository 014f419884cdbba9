// A rough inverse of I + M^-1 K, node by node: the diagonal of K, or its blocks of D x D.
#pragma once

#include "mpm/implicit_material.h"
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
  // what else acts on nodes, a symmetric matrix each.
  template <class AddMore>
  void build(const StepContext<T, D>& ctx, const Particles<T, D>& all, Operators<T, D>& operators,
             const std::vector<ImplicitMaterial<T, D>>& materials,
             const std::vector<Columns<T>>& tangents, double share, const AddMore& add_more) {
    if (kind_ == PreconditionerKind::none) return;
    sum_particles(ctx, all, operators, materials, tangents);
    add_more([&](std::size_t node, const SymMat<T, D>& part) {
      add(part, T(1 / share), diagonal_[node], beside_[node]);
    });
    invert(share);
  }
  void apply(const Vector& r, Vector& z) const;
  std::size_t bytes() const { return diagonal_.bytes() + beside_.bytes(); }

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
  void invert(double share);

  const NodeSpace<T, D>& space_;
  PreconditionerKind kind_;
  // Entries of a symmetric matrix a node: on the diagonal, and beside it.
  Buffer<Node<T>> diagonal_, beside_;
};

}  // namespace firn
