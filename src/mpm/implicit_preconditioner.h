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

  // From the tangents of the particles, of which `share` counts.
  void build(const StepContext<T, D>& ctx, const Particles<T, D>& all, Operators<T, D>& operators,
             const std::vector<ImplicitMaterial<T, D>>& materials,
             const std::vector<Columns<T>>& tangents, double share);
  void apply(const Vector& r, Vector& z) const;
  std::size_t bytes() const { return diagonal_.bytes() + beside_.bytes(); }

 private:
  void invert(double share);

  const NodeSpace<T, D>& space_;
  PreconditionerKind kind_;
  // Entries of a symmetric matrix a node: on the diagonal, and beside it.
  Buffer<Node<T>> diagonal_, beside_;
};

}  // namespace firn
