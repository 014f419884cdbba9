#include "mpm/implicit_preconditioner.h"

#include "mpm/grid_update.h"
#include "mpm/implicit_block.h"

namespace firn {
template <class T, int D>
void NodePreconditioner<T, D>::sum_particles(const StepContext<T, D>& ctx,
                                             const Particles<T, D>& all, Operators<T, D>& operators,
                                             const std::vector<ImplicitMaterial<T, D>>& materials,
                                             const std::vector<Columns<T>>& tangents) {
  using Block = BlockOperators<T, D>;
  diagonal_.resize(space_.size());
  beside_.resize(space_.size());
  operators.sum_two_over_blocks(
      all.blocks,
      [&](int block, Node<T>* on, Node<T>* beside) {
        for (std::size_t s = 0; s < all.sets.size(); ++s) {
          const auto& set = all.sets[s];
          for (std::uint32_t p = set.begin[block]; p < set.begin[block + 1]; ++p) {
            int node[Block::kMostNodes];
            Vec<T, D> gradient[Block::kMostNodes];
            const int n = operators.of_block().nodes_of(ctx, set, p, node, gradient);
            materials[s].add_blocks(tangents[s], p, gradient, node, n, on, beside);
          }
        }
      },
      diagonal_.data(), beside_.data());
}

template <class T, int D>
void NodePreconditioner<T, D>::invert(std::size_t node) {
  const SymMat<double, D> inverse = inverse_block<D>(
      double(space_.mass()[node]), share_, kind_ != PreconditionerKind::diagonal,
      [&](int a) { return diagonal_[node][a]; }, [&](int k) { return beside_[node][k]; });
  for (int a = 0, at = 0; a < D; ++a) {
    diagonal_[node].set(a, T(inverse(a, a)));
    for (int b = a + 1; b < D; ++b) beside_[node].set(at++, T(inverse(a, b)));
  }
}

template <class T, int D>
void NodePreconditioner<T, D>::apply(const Vector& r, Vector& z) const {
  if (kind_ == PreconditionerKind::none) {
    space_.copy(r, z);
    return;
  }
  space_.for_nodes([&](std::size_t i) {
    const Vec<T, D> v =
        block_product<T, D>([&](int a) { return diagonal_[i][a]; },
                            [&](int k) { return beside_[i][k]; }, velocity_of<D>(r[i]));
    Node<T> out(0);
    for (int a = 0; a < D; ++a) out.set(a, v[a]);
    z[i] = out;
  });
  if (kind_ == PreconditionerKind::multigrid) coarse_.add_correction(r, z);
}

template class NodePreconditioner<float, 2>;
template class NodePreconditioner<float, 3>;
template class NodePreconditioner<double, 2>;
template class NodePreconditioner<double, 3>;

}  // namespace firn
