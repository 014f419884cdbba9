#include "mpm/implicit_preconditioner.h"

#include "mpm/grid_update.h"

namespace firn {
namespace {

template <class T, int D>
Vec<T, D> product(const SymMat<T, D>& a, const Vec<T, D>& v) {
  Vec<T, D> r = Vec<T, D>::zero();
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) r[i] += a(i, j) * v[j];
  return r;
}

// Leading minors, in double: squares of stiffness over mass overflow in float.
template <int D>
bool is_definite(const SymMat<double, D>& a) {
  const double minor = a(0, 0) * a(1, 1) - a(0, 1) * a(0, 1);
  if (!(a(0, 0) > 0) || !(minor > 1e-12 * a(0, 0) * a(1, 1))) return false;
  if constexpr (D == 3)
    return determinant(a.full()) > 1e-12 * a(0, 0) * a(1, 1) * a(2, 2) && a(2, 2) > 0;
  return true;
}

}  // namespace

template <class T, int D>
void NodePreconditioner<T, D>::sum_particles(const StepContext<T, D>& ctx,
                                             const Particles<T, D>& all, Operators<T, D>& operators,
                                             const std::vector<ImplicitMaterial<T, D>>& materials,
                                             const std::vector<Columns<T>>& tangents) {
  using Block = BlockOperators<T, D>;
  sum_.resize(space_.size());
  sum_beside_.resize(space_.size());
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
      sum_.data(), sum_beside_.data());
}

// Matrices that bend down along some direction count by their diagonal alone.
template <class T, int D>
void NodePreconditioner<T, D>::invert(double share) {
  space_.for_nodes([&](std::size_t i) {
    const double mass = double(space_.mass()[i]);
    SymMat<double, D> whole, inverse;
    for (int k = 0; k < SymMat<double, D>::kSize; ++k) inverse.e[k] = 0;
    for (int a = 0; a < D; ++a) inverse(a, a) = 1;
    if (mass > 0) {
      const double scale = share / mass;
      for (int a = 0; a < D; ++a) whole(a, a) = 1 + scale * double(diagonal_[i][a]);
      for (int a = 0, at = 0; a < D; ++a)
        for (int b = a + 1; b < D; ++b) whole(a, b) = scale * double(beside_[i][at++]);
      if (kind_ != PreconditionerKind::diagonal && is_definite(whole)) {
        const Mat<double, D> m = firn::inverse(whole.full());
        for (int a = 0; a < D; ++a)
          for (int b = a; b < D; ++b) inverse(a, b) = 0.5 * (m(a, b) + m(b, a));
      } else {
        for (int a = 0; a < D; ++a) inverse(a, a) = 1 / max_of(whole(a, a), 1.0);
      }
    }
    for (int a = 0, at = 0; a < D; ++a) {
      diagonal_[i].set(a, T(inverse(a, a)));
      for (int b = a + 1; b < D; ++b) beside_[i].set(at++, T(inverse(a, b)));
    }
  });
}

template <class T, int D>
void NodePreconditioner<T, D>::apply(const Vector& r, Vector& z) const {
  if (kind_ == PreconditionerKind::none) {
    space_.copy(r, z);
    return;
  }
  space_.for_nodes([&](std::size_t i) {
    SymMat<T, D> m;
    for (int a = 0, at = 0; a < D; ++a) {
      m(a, a) = diagonal_[i][a];
      for (int b = a + 1; b < D; ++b) m(a, b) = beside_[i][at++];
    }
    const Vec<T, D> v = product(m, velocity_of<D>(r[i]));
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
