#include "fem/block_matrix.h"

#include <algorithm>

#include "base/simd.h"
#include "exec/parallel.h"

namespace firn {
namespace {

constexpr std::int64_t kRowsAtOnce = 512;

}  // namespace

template <int D>
BlockMatrix<D>::BlockMatrix(std::size_t nodes,
                            const std::vector<std::vector<std::uint32_t>>& cells_of_bodies,
                            const std::vector<int>& nodes_a_cell) {
  // Which cells a node is in, then which nodes these have.
  std::vector<std::uint64_t> first(nodes + 1, 0);
  for (const auto& cells : cells_of_bodies)
    for (const std::uint32_t node : cells) ++first[node + 1];
  for (std::size_t i = 0; i < nodes; ++i) first[i + 1] += first[i];
  struct Place {
    std::uint32_t body, cell;
  };
  std::vector<Place> places(first[nodes]);
  std::vector<std::uint64_t> filled(first.begin(), first.end() - 1);
  for (std::size_t b = 0; b < cells_of_bodies.size(); ++b)
    for (std::size_t k = 0; k < cells_of_bodies[b].size(); ++k)
      places[filled[cells_of_bodies[b][k]]++] = {
          static_cast<std::uint32_t>(b),
          static_cast<std::uint32_t>(k / static_cast<std::size_t>(nodes_a_cell[b]))};

  auto pattern = std::make_shared<Pattern>();
  pattern->begin.assign(nodes + 1, 0);
  pattern->diagonal.resize(nodes);
  std::vector<std::uint32_t> row;
  for (std::size_t i = 0; i < nodes; ++i) {
    row.assign(1, static_cast<std::uint32_t>(i));
    for (std::uint64_t k = first[i]; k < first[i + 1]; ++k) {
      const auto n = static_cast<std::size_t>(nodes_a_cell[places[k].body]);
      const auto* cell = cells_of_bodies[places[k].body].data() + places[k].cell * n;
      row.insert(row.end(), cell, cell + n);
    }
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    pattern->diagonal[i] =
        pattern->column.size() +
        static_cast<std::uint64_t>(std::lower_bound(row.begin(), row.end(), i) - row.begin());
    pattern->column.insert(pattern->column.end(), row.begin(), row.end());
    pattern->begin[i + 1] = pattern->column.size();
  }
  pattern_ = pattern;
}

template <int D>
BlockMatrix<D> BlockMatrix<D>::zeros() const {
  BlockMatrix other;
  other.pattern_ = pattern_;
  other.values_.resize(pattern_->column.size() * kBlock);
  other.clear();
  return other;
}

template <int D>
std::uint16_t BlockMatrix<D>::place_in_row(std::uint32_t row, std::uint32_t column) const {
  const auto* begin = pattern_->column.data() + pattern_->begin[row];
  const auto* end = pattern_->column.data() + pattern_->begin[row + 1];
  return static_cast<std::uint16_t>(std::lower_bound(begin, end, column) - begin);
}

template <int D>
void BlockMatrix<D>::clear() {
  parallel_for("clear matrix", static_cast<std::int64_t>(values_.size()), 1 << 16,
               [&](std::int64_t begin, std::int64_t end) {
                 std::fill(values_.data() + begin, values_.data() + end, 0.0);
               });
}

template <int D>
void BlockMatrix<D>::set_sum(const BlockMatrix& a, double scale, const BlockMatrix& b) {
  parallel_for("add matrices", static_cast<std::int64_t>(values_.size()), 1 << 16,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i)
                   values_[i] = a.values_[i] + scale * b.values_[i];
               });
}

// store(row, sums): four numbers, of which D count.
template <int D>
template <class Store>
void BlockMatrix<D>::for_rows(const double* d, Store&& store) const {
  using Four = Simd<double, 4>;
  const Pattern& p = *pattern_;
  const double* values = values_.data();  // with room behind the last for a whole pack
  parallel_for("matrix product", static_cast<std::int64_t>(nodes()), kRowsAtOnce,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i) {
                   double y[4] = {};
                   if constexpr (D == 2) {
                     for (std::uint64_t k = p.begin[i]; k < p.begin[i + 1]; ++k) {
                       const double* x = d + std::size_t(p.column[k]) * D;
                       const double* a = values + k * kBlock;
                       y[0] += a[0] * x[0] + a[2] * x[1];
                       y[1] += a[1] * x[0] + a[3] * x[1];
                     }
                   } else {
                     Four sum(0.0), other(0.0);
                     for (std::uint64_t k = p.begin[i]; k < p.begin[i + 1]; ++k) {
                       const double* x = d + std::size_t(p.column[k]) * D;
                       const double* a = values + k * kBlock;
                       sum += Four::load(a) * Four(x[0]);
                       other += Four::load(a + 3) * Four(x[1]);
                       sum += Four::load(a + 6) * Four(x[2]);
                     }
                     (sum + other).store(y);
                   }
                   store(i, y);
                 }
               });
}

template <int D>
void BlockMatrix<D>::product(const double* d, double* out) const {
  for_rows(d, [out](std::int64_t row, const double* y) {
    for (int a = 0; a < D; ++a) out[row * D + a] = y[a];
  });
}

template <int D>
void BlockMatrix<D>::product(const double* d, const double* scale, double shift,
                             double* out) const {
  for_rows(d, [=](std::int64_t row, const double* y) {
    for (int a = 0; a < D; ++a) out[row * D + a] = scale[row] * y[a] + shift * d[row * D + a];
  });
}

template <int D>
std::size_t BlockMatrix<D>::bytes() const {
  if (!pattern_) return 0;
  if (values_.size() > 0) return values_.bytes();
  return pattern_->column.size() * sizeof(std::uint32_t) + 2 * nodes() * sizeof(std::uint64_t);
}

template <int D>
std::size_t BlockMatrix<D>::bytes_of_product() const {
  if (!pattern_) return 0;
  return values_.size() * sizeof(double) + pattern_->column.size() * sizeof(std::uint32_t) +
         nodes() * (sizeof(std::uint64_t) + 3 * D * sizeof(double));
}

template class BlockMatrix<2>;
template class BlockMatrix<3>;

}  // namespace firn
