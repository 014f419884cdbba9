// Restarted GMRES, preconditioned from the right, so that what it minimizes is the residual itself.
// For any operator; the product need not know it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "solvers/krylov.h"

namespace firn {

struct GmresSettings : KrylovSettings {
  int restart = 30;  // vectors that are kept
};

// The least-squares problem of one cycle: columns of the Hessenberg matrix, turned as they come.
class HessenbergColumns {
 public:
  void begin(double residual_norm) {
    columns_.clear();
    turns_.clear();
    right_.assign(1, residual_norm);
  }
  // entries: products with the vectors so far, and the norm of what remains.
  void add(std::vector<double> entries) {
    for (std::size_t i = 0; i < turns_.size(); ++i) turns_[i].turn(entries[i], entries[i + 1]);
    const std::size_t last = entries.size() - 1;
    const GivensRotation turn = GivensRotation::of(entries[last - 1], entries[last]);
    entries[last - 1] = turn.length;
    entries.pop_back();
    right_.push_back(0);
    turn.turn(right_[last - 1], right_[last]);
    turns_.push_back(turn);
    columns_.push_back(std::move(entries));
  }
  std::size_t size() const { return columns_.size(); }
  double residual_norm() const { return std::abs(right_.back()); }
  // Coefficients of the vectors. A column that says nothing (a singular operator) is left out.
  std::vector<double> solve() const {
    std::vector<double> y(right_.begin(), right_.end() - 1);
    double largest = 0;
    for (std::size_t k = 0; k < y.size(); ++k) largest = std::max(largest, columns_[k][k]);
    for (std::size_t k = y.size(); k-- > 0;) {
      y[k] = columns_[k][k] > 1e-14 * largest ? y[k] / columns_[k][k] : 0;
      for (std::size_t i = 0; i < k; ++i) y[i] -= columns_[k][i] * y[k];
    }
    return y;
  }

 private:
  std::vector<std::vector<double>> columns_;
  std::vector<GivensRotation> turns_;
  std::vector<double> right_;
};

template <VectorSpace Space, class Operator, class Preconditioner>
class Gmres {
  using Vector = typename Space::Vector;

 public:
  Gmres(const Space& space, Operator& apply, Preconditioner& precondition,
        const GmresSettings& settings)
      : space_(space), apply_(apply), precondition_(precondition), settings_(settings) {}

  KrylovReport solve(const Vector& b, Vector& x) {
    residual_of(space_, apply_, b, x, settings_.from_zero, r_);
    double rr = space_.dot(r_, r_);
    const double scale = residual_scale(space_.dot(b, b), rr);
    KrylovReport report;
    while (!ends_here(report, settings_, rr, scale)) {
      const Cycle cycle = run_cycle(report, rr, scale);
      add_solution(x);
      residual_of(space_, apply_, b, x, false, r_);
      const double rr_before = rr;
      rr = space_.dot(r_, r_);
      report.relative_residual = relative_residual(rr, scale);
      if (cycle == Cycle::cancelled) return report;
      const bool stuck = cycle == Cycle::exhausted || !(rr < rr_before);
      if (stuck && report.relative_residual > settings_.tolerance) {
        report.stop = KrylovStop::breakdown;
        return report;
      }
    }
    return report;
  }

 private:
  enum class Cycle {
    full,
    exhausted,  // the vectors hold all that the operator makes of them, or a product is not finite
    cancelled
  };

  Cycle run_cycle(KrylovReport& report, double rr, double scale) {
    space_.copy(r_, vector(0));
    space_.scale(1 / std::sqrt(rr), basis_[0]);
    hessenberg_.begin(std::sqrt(rr));
    for (int k = 1; k <= settings_.restart; ++k) {
      ++report.iterations;
      if (!add_vector()) return Cycle::exhausted;
      const double norm = hessenberg_.residual_norm();
      if (k == settings_.restart || !ends_here(report, settings_, norm * norm, scale)) continue;
      return report.stop == KrylovStop::cancelled ? Cycle::cancelled : Cycle::full;
    }
    return Cycle::full;
  }
  // Arnoldi by modified Gram-Schmidt. False where nothing new remains.
  bool add_vector() {
    const std::size_t k = hessenberg_.size();
    Vector& next = vector(k + 1);
    precondition_(basis_[k], z_);
    apply_(z_, next);
    const double norm_before = std::sqrt(space_.dot(next, next));
    if (!std::isfinite(norm_before)) return false;
    std::vector<double> entries;
    for (std::size_t i = 0; i <= k; ++i) {
      entries.push_back(space_.dot(next, basis_[i]));
      space_.combine(-entries.back(), basis_[i], 1, next);
    }
    const double norm = std::sqrt(space_.dot(next, next));
    const bool exhausted = !(norm > 1e-14 * norm_before);
    entries.push_back(exhausted ? 0 : norm);
    hessenberg_.add(std::move(entries));
    if (!exhausted) space_.scale(1 / norm, next);
    return !exhausted;
  }
  // x += B V y
  void add_solution(Vector& x) {
    const std::vector<double> y = hessenberg_.solve();
    space_.scale(0, r_);
    for (std::size_t i = 0; i < y.size(); ++i) space_.combine(y[i], basis_[i], 1, r_);
    precondition_(r_, z_);
    space_.combine(1, z_, 1, x);
  }
  Vector& vector(std::size_t i) {
    while (basis_.size() <= i) basis_.push_back(space_.make());
    return basis_[i];
  }

  const Space& space_;
  Operator& apply_;
  Preconditioner& precondition_;
  const GmresSettings& settings_;
  Vector r_ = space_.make(), z_ = space_.make();
  std::vector<Vector> basis_;
  HessenbergColumns hessenberg_;
};

template <VectorSpace Space, class Operator, class Preconditioner>
KrylovReport gmres(const Space& space, Operator&& apply, Preconditioner&& precondition,
                   const typename Space::Vector& b, typename Space::Vector& x,
                   const GmresSettings& settings) {
  return Gmres(space, apply, precondition, settings).solve(b, x);
}

}  // namespace firn
