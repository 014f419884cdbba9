#include "fem/rigid_coarse.h"

#include <algorithm>

#include "base/simd.h"

namespace firn {
namespace {

double product_of(const double* a, const double* b, std::size_t n) {
  using Four = Simd<double, 4>;
  Four sum(0.0), other(0.0);
  std::size_t k = 0;
  for (; k + 8 <= n; k += 8) {
    sum += Four::load(a + k) * Four::load(b + k);
    other += Four::load(a + k + 4) * Four::load(b + k + 4);
  }
  double lanes[4];
  (sum + other).store(lanes);
  double total = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  for (; k < n; ++k) total += a[k] * b[k];
  return total;
}

}  // namespace

template <int D>
RigidCoarse<D>::RigidCoarse(const FemModel<D>& model) : model_(model) {
  const std::size_t wanted = std::max(kLeastNodes, model.nodes() * kModes / kMostUnknowns + 1);
  begin_.push_back(0);
  for (const auto& body : model.bodies) {
    const std::size_t nodes = body.nodes, first = begin_.back();
    const std::size_t groups = std::max<std::size_t>(1, nodes / wanted);
    for (std::size_t g = 1; g <= groups; ++g) begin_.push_back(first + nodes * g / groups);
  }
  group_of_.resize(model.nodes());
  for (std::size_t g = 0; g + 1 < begin_.size(); ++g)
    for (std::size_t i = begin_[g]; i < begin_[g + 1]; ++i)
      group_of_[i] = static_cast<std::uint32_t>(g);
}

// Shifts, and turns about the group's middle in units of its extent.
template <int D>
void RigidCoarse<D>::set_modes(const double* x) {
  for (auto& mode : modes_) mode.resize(model_.nodes() * D);
  for (std::size_t g = 0; g + 1 < begin_.size(); ++g) {
    Vec<double, D> middle = Vec<double, D>::zero();
    for (std::size_t i = begin_[g]; i < begin_[g + 1]; ++i)
      for (int a = 0; a < D; ++a) middle[a] += x[i * D + a];
    middle = middle * (1.0 / double(begin_[g + 1] - begin_[g]));
    double size2 = 0;
    for (std::size_t i = begin_[g]; i < begin_[g + 1]; ++i)
      for (int a = 0; a < D; ++a) size2 += (x[i * D + a] - middle[a]) * (x[i * D + a] - middle[a]);
    const double scale = size2 > 0 ? std::sqrt(double(begin_[g + 1] - begin_[g]) / size2) : 0;
    for (std::size_t i = begin_[g]; i < begin_[g + 1]; ++i) {
      Vec<double, D> arm;
      for (int a = 0; a < D; ++a) arm[a] = (x[i * D + a] - middle[a]) * scale;
      for (int k = 0; k < kModes; ++k) {
        double* mode = modes_[k].data() + i * D;
        std::fill(mode, mode + D, 0.0);
        if (k < D) {
          mode[k] = 1;
        } else {
          const int p = D == 2 ? 0 : (k - D + 1) % D, q = D == 2 ? 1 : (k - D + 2) % D;
          mode[p] = -arm[q];
          mode[q] = arm[p];
        }
      }
    }
  }
}

// By rows of groups, each the work of one thread: K P is summed over the columns of a group first.
template <int D>
void RigidCoarse<D>::sum_up(const BlockMatrix<D>& A, double factor, const double* shift) {
  const std::size_t n = unknowns();
  matrix_.assign(n * n, 0);
  const auto groups = static_cast<std::int64_t>(begin_.size() - 1);
  parallel_for("coarse matrix", groups, 1, [&](std::int64_t g, std::int64_t end) {
    for (; g < end; ++g)
      for (std::size_t i = begin_[g]; i < begin_[g + 1]; ++i) {
        double moved[D][kModes];
        std::uint32_t to = 0;
        bool open = false;
        const auto close = [&] {
          for (int k = 0; k < kModes; ++k) {
            double* row = matrix_.data() + (std::size_t(g) * kModes + std::size_t(k)) * n;
            for (int a = 0; a < D; ++a) {
              const double along = modes_[k][i * D + a];
              for (int l = 0; l < kModes; ++l) row[to * kModes + l] += along * moved[a][l];
            }
          }
        };
        A.for_row(static_cast<std::uint32_t>(i), [&](std::uint32_t j, const double* block) {
          if (!open || group_of_[j] != to) {
            if (open) close();
            open = true;
            to = group_of_[j];
            for (auto& row : moved) std::fill(row, row + kModes, 0.0);
          }
          for (int l = 0; l < kModes; ++l) {
            const double* mode = modes_[l].data() + std::size_t(j) * D;
            for (int b = 0; b < D; ++b) {
              const double way = factor * mode[b];
              for (int a = 0; a < D; ++a) moved[a][l] += block[b * D + a] * way;
            }
            if (j == i)
              for (int a = 0; a < D; ++a) moved[a][l] += model_.mass[i] * shift[i] * mode[a];
          }
        });
        close();
      }
  });
}

template <int D>
void RigidCoarse<D>::add_block(std::uint32_t i, std::uint32_t j, const Mat<double, D>& block,
                               double factor) {
  double* corner = matrix_.data() + std::size_t(group_of_[i]) * kModes * unknowns() +
                   std::size_t(group_of_[j]) * kModes;
  for (int l = 0; l < kModes; ++l) {
    Vec<double, D> way;
    for (int a = 0; a < D; ++a) way[a] = modes_[l][std::size_t(j) * D + std::size_t(a)];
    const Vec<double, D> force = block * way * factor;
    for (int k = 0; k < kModes; ++k)
      for (int a = 0; a < D; ++a)
        corner[std::size_t(k) * unknowns() + std::size_t(l)] +=
            modes_[k][std::size_t(i) * D + std::size_t(a)] * force[a];
  }
}

// L D L^T; what has no positive pivot, held or bent down, is left out.
template <int D>
void RigidCoarse<D>::factorize() {
  constexpr double kSmallest = 1e-10;
  const std::size_t n = unknowns();
  inverse_diagonal_.assign(n, 0);
  std::vector<double> column(n);
  for (std::size_t j = 0; j < n; ++j) {
    double* row = matrix_.data() + j * n;
    const double whole = row[j];
    for (std::size_t k = 0; k < j; ++k) column[k] = row[k] * inverse_diagonal_[k];
    const double pivot = whole - product_of(row, column.data(), j);
    std::copy(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(j), row);
    const bool counts = pivot > kSmallest * std::abs(whole) && std::isfinite(pivot);
    inverse_diagonal_[j] = counts ? 1 / pivot : 0;
    // Rows below get entries of L D, which are divided when it is their turn.
    const auto below = static_cast<std::int64_t>(n - j - 1);
    parallel_for("coarse factor", below, 64, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t d = begin; d < end; ++d) {
        double* other = matrix_.data() + (j + 1 + std::size_t(d)) * n;
        other[j] -= product_of(other, row, j);
      }
    });
  }
}

template <int D>
void RigidCoarse<D>::add(const double* r, double* z) const {
  const std::size_t n = unknowns(), groups = begin_.size() - 1;
  std::vector<double> y(n, 0);
  for (std::size_t g = 0; g < groups; ++g)
    for (std::size_t i = begin_[g]; i < begin_[g + 1]; ++i)
      for (int k = 0; k < kModes; ++k)
        for (int a = 0; a < D; ++a)
          y[g * kModes + k] += modes_[k][i * D + a] * model_.mass[i] * r[i * D + a];
  for (std::size_t j = 0; j < n; ++j) y[j] -= product_of(matrix_.data() + j * n, y.data(), j);
  for (std::size_t j = 0; j < n; ++j) y[j] *= inverse_diagonal_[j];
  for (std::size_t j = n; j-- > 0;)
    for (std::size_t k = 0; k < j; ++k) y[k] -= matrix_[j * n + k] * y[j];
  for (std::size_t i = 0; i < model_.nodes(); ++i)
    for (int k = 0; k < kModes; ++k)
      for (int a = 0; a < D; ++a)
        z[i * D + a] += modes_[k][i * D + a] * y[group_of_[i] * kModes + k];
}

template <int D>
std::size_t RigidCoarse<D>::bytes() const {
  return (matrix_.size() + inverse_diagonal_.size() + modes_[0].size() * kModes) * sizeof(double) +
         group_of_.size() * sizeof(std::uint32_t);
}

template class RigidCoarse<2>;
template class RigidCoarse<3>;

}  // namespace firn
