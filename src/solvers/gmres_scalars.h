// The numbers of GMRES (gmres.h), started from zero, apart from the vectors: for loops that never
// leave a device, where a cycle makes vectors until `cycle_done`,
//   v_k is scaled by inverse_norm,  w = A B v_k,  norm_before = |w|,
//   entries[i] = w.v_i,  w -= entries[i] v_i  for i = 0 to k,  add_column(|w|),
// and ends with x += B V y, r = b - A x, end_cycle(r.r), until `done`.
#pragma once

#include <cstdint>

#include "solvers/gmres.h"

namespace firn {

constexpr int kMostBasis = 30;  // vectors of a cycle

struct GmresScalars {
  // As GmresSettings has them.
  double tolerance;
  std::int32_t most_iterations, restart;

  double rr, scale, relative_residual;
  double norm_before;             // of the newest product before it is made orthogonal
  double inverse_norm;            // of the newest vector, which is yet to be scaled
  std::int32_t iterations, size;  // of all cycles, and columns of this one
  std::int32_t exhausted;
  std::int32_t cycle_done, done;
  KrylovStop stop;
  double entries[kMostBasis + 1];  // of the column that is made
  double column[kMostBasis][kMostBasis], right[kMostBasis + 1], y[kMostBasis];
  GivensRotation turns[kMostBasis];

  // Whether this is the end, with a residual of so much.
  FIRN_HD bool ends(double squared) {
    relative_residual = firn::relative_residual(squared, scale);
    if (relative_residual <= tolerance)
      stop = KrylovStop::converged;
    else if (!std::isfinite(relative_residual))
      stop = KrylovStop::breakdown;
    else if (iterations >= most_iterations)
      stop = KrylovStop::iteration_limit;
    else
      return false;
    return true;
  }
  FIRN_HD void begin_cycle() {
    size = exhausted = cycle_done = 0;
    right[0] = std::sqrt(rr);
    inverse_norm = 1 / right[0];
  }
  FIRN_HD void begin(double squared) {
    rr = scale = squared;
    if (ends(rr)) done = 1;
    begin_cycle();
  }
  // With the products of the newest vector and those before it, and what is left of it.
  FIRN_HD void add_column(double norm) {
    ++iterations;
    exhausted = !(norm > 1e-14 * norm_before);
    entries[size + 1] = exhausted ? 0 : norm;
    for (int i = 0; i < size; ++i) turns[i].turn(entries[i], entries[i + 1]);
    turns[size] = GivensRotation::of(entries[size], entries[size + 1]);
    entries[size] = turns[size].length;
    for (int i = 0; i <= size; ++i) column[size][i] = entries[i];
    right[size + 1] = 0;
    turns[size].turn(right[size], right[size + 1]);
    ++size;
    inverse_norm = 1 / norm;
    cycle_done = exhausted || size == restart || ends(right[size] * right[size]);
    if (cycle_done) solve();
  }
  // A product that is not finite.
  FIRN_HD void give_up() {
    ++iterations;
    exhausted = cycle_done = 1;
    solve();
  }
  // Coefficients of the vectors. A column that says nothing is left out.
  FIRN_HD void solve() {
    double largest = 0;
    for (int k = 0; k < size; ++k) {
      y[k] = right[k];
      if (column[k][k] > largest) largest = column[k][k];
    }
    for (int k = size - 1; k >= 0; --k) {
      y[k] = column[k][k] > 1e-14 * largest ? y[k] / column[k][k] : 0;
      for (int i = 0; i < k; ++i) y[i] -= column[k][i] * y[k];
    }
  }
  // After a cycle, by the residual itself.
  FIRN_HD void end_cycle(double squared) {
    const double before = rr;
    rr = squared;
    relative_residual = firn::relative_residual(rr, scale);
    const bool stuck = exhausted || !(rr < before);
    if (stuck && relative_residual > tolerance) {
      stop = KrylovStop::breakdown;
      done = 1;
    } else if (ends(rr)) {
      done = 1;
    }
    begin_cycle();
  }
};

}  // namespace firn
