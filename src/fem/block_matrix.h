// A symmetric matrix of D x D blocks with a block wherever two nodes share a cell. The pattern is
// fixed; blocks are stored by columns, so that a product adds whole columns.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "exec/buffer.h"

namespace firn {

template <int D>
class BlockMatrix {
 public:
  static constexpr int kBlock = D * D;

  BlockMatrix() = default;
  // The pattern alone. `cells_of_bodies`: `nodes_a_cell` numbers a cell.
  BlockMatrix(std::size_t nodes, const std::vector<std::vector<std::uint32_t>>& cells_of_bodies,
              const std::vector<int>& nodes_a_cell);
  // A matrix of zeros of this pattern.
  BlockMatrix zeros() const;

  std::size_t nodes() const { return pattern_ ? pattern_->begin.size() - 1 : 0; }
  std::uint64_t row_begin(std::uint32_t row) const { return pattern_->begin[row]; }
  // Which of the blocks of a row is that of a column; the pattern has it.
  std::uint16_t place_in_row(std::uint32_t row, std::uint32_t column) const;
  // Entry (i, j) is at [j * D + i].
  double* block(std::uint32_t row, std::uint16_t place) {
    return values_.data() + (pattern_->begin[row] + place) * kBlock;
  }
  const double* diagonal(std::uint32_t row) const {
    return values_.data() + pattern_->diagonal[row] * kBlock;
  }

  // f(column, block) for the blocks of a row, by rising columns.
  template <class F>
  void for_row(std::uint32_t row, F&& f) const {
    for (std::uint64_t k = pattern_->begin[row]; k < pattern_->begin[row + 1]; ++k)
      f(pattern_->column[k], values_.data() + k * kBlock);
  }

  void clear();
  // The sum a + scale b goes here.
  void set_sum(const BlockMatrix& a, double scale, const BlockMatrix& b);
  // out = A d.
  void product(const double* d, double* out) const;
  // out_i = scale_i (A d)_i + shift d_i, with one number a node.
  void product(const double* d, const double* scale, double shift, double* out) const;

  // Of the values, or where it has none of the pattern.
  std::size_t bytes() const;
  // Read by a product.
  std::size_t bytes_of_product() const;

 private:
  struct Pattern {
    std::vector<std::uint64_t> begin, diagonal;
    std::vector<std::uint32_t> column;
  };
  template <class Store>
  void for_rows(const double* d, Store&& store) const;

  std::shared_ptr<const Pattern> pattern_;
  Buffer<double> values_;
};

}  // namespace firn
