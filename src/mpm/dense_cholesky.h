// A small symmetric positive definite matrix, factored once and solved with often. Unknowns without
// stiffness (a pivot that is not positive) are left at zero.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace firn {

class DenseCholesky {
 public:
  void begin(std::size_t n) {
    n_ = n;
    lower_.assign(n * n, 0.0);
  }
  double& entry(std::size_t row, std::size_t column) { return lower_[row * n_ + column]; }
  std::size_t size() const { return n_; }

  // The lower triangle becomes the factor.
  void factor() {
    for (std::size_t j = 0; j < n_; ++j) {
      double* const row = &lower_[j * n_];
      const double whole = row[j];
      const double left = whole - product(row, row, j);
      row[j] = left > 1e-14 * whole ? std::sqrt(left) : 0;
      for (std::size_t i = j + 1; i < n_; ++i) {
        double* const below = &lower_[i * n_];
        below[j] = row[j] > 0 ? (below[j] - product(below, row, j)) / row[j] : 0;
      }
    }
  }
  // b becomes the solution.
  void solve(std::vector<double>& b) const {
    for (std::size_t i = 0; i < n_; ++i) {
      const double* const row = &lower_[i * n_];
      b[i] = row[i] > 0 ? (b[i] - product(row, b.data(), i)) / row[i] : 0;
    }
    for (std::size_t i = n_; i-- > 0;) {
      const double pivot = lower_[i * n_ + i];
      double sum = b[i];
      for (std::size_t k = i + 1; k < n_; ++k) sum -= lower_[k * n_ + i] * b[k];
      b[i] = pivot > 0 ? sum / pivot : 0;
    }
  }

 private:
  static double product(const double* a, const double* b, std::size_t n) {
    double lanes[4] = {};
    std::size_t k = 0;
    for (; k + 4 <= n; k += 4)
      for (std::size_t l = 0; l < 4; ++l) lanes[l] += a[k + l] * b[k + l];
    for (; k < n; ++k) lanes[0] += a[k] * b[k];
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  }

  std::size_t n_ = 0;
  std::vector<double> lower_;
};

}  // namespace firn
