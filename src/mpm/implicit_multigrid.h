// What coarser grids add to a rough inverse of I + M^-1 K on the nodes: a V-cycle over them for the
// residual of the grid itself, which they see as CoarseGrid says. Symmetric in the mass product.
#pragma once

#include <vector>

#include "mpm/coarse_grid.h"
#include "mpm/dense_cholesky.h"
#include "mpm/few_nodes.h"

namespace firn {

template <class T, int D>
class GridMultigrid {
 public:
  using Vector = Buffer<Node<T>>;

  // moduli: in the lanes of mass, what each node has of the stiffness of the matter against changes
  // of volume (bulk) and of shape (shear), of which `share` counts.
  void build(const BlockTopology<D>& blocks, const Buffer<T>& mass, const Vector& bulk,
             const Vector& shear, double share, double spacing);
  // Springs of the nodes of the grid itself, kg: to be filled, then set.
  FewNodes<SymMat<T, D>>& springs() { return springs_; }
  void set_springs();
  void add_correction(const Vector& r, Vector& z);
  std::size_t bytes() const;

 private:
  static constexpr int kMostLevels = 16, kSweepsAtTheEnd = 8;  // of many nodes
  static constexpr std::size_t kFewNodes = 64;                 // coarse enough
  static constexpr std::size_t kMostSolved = 256;              // of which the matrix is factored

  struct Level {
    CoarseGrid<T, D> grid;
    Vector b, x, r;
  };
  void cycle(std::size_t level);
  void factor_coarsest();
  void solve_coarsest();

  const Buffer<T>* mass_ = nullptr;
  std::vector<Level> levels_;
  // Of the coarsest grid: sweeps alone would take for ever over motions of a whole body, which only
  // its mass resists.
  DenseCholesky coarsest_;
  FewNodes<SymMat<T, D>> springs_;
};

}  // namespace firn
