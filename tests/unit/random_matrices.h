// Random rotations and deformations for tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>

#include "base/mat.h"

namespace firn::testing {

using Random = std::mt19937_64;

inline double uniform(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

template <int D>
Mat<double, D> random_matrix(Random& random, double size) {
  Mat<double, D> m;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) m(i, j) = uniform(random, -size, size);
  return m;
}

// Gram-Schmidt twice (once loses digits on nearly dependent rows), with a positive determinant.
template <int D>
Mat<double, D> random_rotation(Random& random) {
  Mat<double, D> q = random_matrix<D>(random, 1);
  for (int n = 0; n < 2 * D; ++n) {
    const int i = n % D;
    for (int k = 0; k < i; ++k) {
      double along = 0;
      for (int j = 0; j < D; ++j) along += q(i, j) * q(k, j);
      for (int j = 0; j < D; ++j) q(i, j) -= along * q(k, j);
    }
    double norm2 = 0;
    for (int j = 0; j < D; ++j) norm2 += q(i, j) * q(i, j);
    for (int j = 0; j < D; ++j) q(i, j) /= std::sqrt(norm2);
  }
  const double sign = determinant(q) < 0 ? -1 : 1;
  for (int j = 0; j < D; ++j) q(0, j) *= sign;
  return q;
}

// F with given principal stretches and random axes.
template <int D>
Mat<double, D> with_stretches(Random& random, const Vec<double, D>& s) {
  return random_rotation<D>(random) * Mat<double, D>::diagonal(s) * random_rotation<D>(random);
}

template <int D>
Vec<double, D> random_stretches(Random& random, double low, double high) {
  Vec<double, D> s;
  for (int i = 0; i < D; ++i) s[i] = uniform(random, low, high);
  return s;
}

template <int D>
double largest_entry(const Mat<double, D>& a) {
  double r = 0;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) r = std::max(r, std::abs(a(i, j)));
  return r;
}

}  // namespace firn::testing
