// Long waves of a linear system at one blow: bodies in groups of nodes, near to near, that move as
// rigid pieces; the system of these pieces is solved directly. Beside a preconditioner that looks
// at single nodes it takes most of the iterations away that long and stiff bodies need.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "exec/parallel.h"
#include "fem/fem_model.h"

namespace firn {

template <int D>
class RigidCoarse {
 public:
  explicit RigidCoarse(const FemModel<D>& model);

  // Of the system factor A + diag(mass shift), at places x. filter(d) takes out of a displacement
  // of all nodes what they may not do. for_more(f) calls f(row, column, block) for blocks of two
  // nodes that A has no room for.
  template <class Filter, class ForMore>
  void build(const double* x, const BlockMatrix<D>& A, double factor, const double* shift,
             Filter&& filter, ForMore&& for_more) {
    set_modes(x);
    for (auto& mode : modes_) filter(mode.data());
    sum_up(A, factor, shift);
    for_more([&](std::uint32_t i, std::uint32_t j, const Mat<double, D>& block) {
      add_block(i, j, block, factor);
    });
    factorize();
    built_ = true;
  }
  bool is_built() const { return built_; }
  void forget() { built_ = false; }
  // z += P (P^T K P)^-1 P^T M r.
  void add(const double* r, double* z) const;
  std::size_t bytes() const;

 private:
  static constexpr int kModes = D == 3 ? 6 : 3;
  static constexpr std::size_t kLeastNodes = 48, kMostUnknowns = 600;

  void set_modes(const double* x);
  void sum_up(const BlockMatrix<D>& A, double factor, const double* shift);
  void add_block(std::uint32_t i, std::uint32_t j, const Mat<double, D>& block, double factor);
  void factorize();
  std::size_t unknowns() const { return (begin_.size() - 1) * kModes; }

  const FemModel<D>& model_;
  std::vector<std::size_t> begin_;        // of the groups, by node
  std::vector<std::uint32_t> group_of_;   // of each node
  std::vector<double> modes_[kModes];     // D a node
  std::vector<double> matrix_;            // then its factor L D L^T, rows of the lower part
  std::vector<double> inverse_diagonal_;  // 0 where a mode is left out
  bool built_ = false;
};

}  // namespace firn
