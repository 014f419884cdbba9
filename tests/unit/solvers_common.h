// Small dense systems for tests of the solvers.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "solvers/array_space.h"

namespace firn::testing {

using Space = ArraySpace<double>;
using Vector = Space::Vector;

inline Vector vector_of(const std::vector<double>& values) {
  Vector v(values.size());
  std::copy(values.begin(), values.end(), v.begin());
  return v;
}

inline Vector random_vector(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Vector v(n);
  for (double& x : v) x = normal(random);
  return v;
}

inline double largest_difference(const Vector& a, const Vector& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

struct Matrix {
  std::size_t n;
  std::vector<double> entries = std::vector<double>(n * n);

  double& operator()(std::size_t i, std::size_t j) { return entries[i * n + j]; }
  double operator()(std::size_t i, std::size_t j) const { return entries[i * n + j]; }
  void operator()(const Vector& in, Vector& out) const {
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += (*this)(i, j) * in[j];
      out[i] = sum;
    }
  }
  Vector times(const Vector& in) const {
    Vector out(n);
    (*this)(in, out);
    return out;
  }
};

// Q diag(values) Q^T, Q a product of random reflections.
inline Matrix with_eigenvalues(const std::vector<double>& values, unsigned seed) {
  Matrix a{values.size()};
  for (std::size_t i = 0; i < a.n; ++i) a(i, i) = values[i];
  for (unsigned k = 0; k < 4; ++k) {
    const Vector u = random_vector(a.n, 100 * seed + k);
    double uu = 0;
    for (const double x : u) uu += x * x;
    const auto reflect = [&](auto&& entry) {
      for (std::size_t line = 0; line < a.n; ++line) {
        double along = 0;
        for (std::size_t i = 0; i < a.n; ++i) along += u[i] * entry(line, i);
        for (std::size_t i = 0; i < a.n; ++i) entry(line, i) -= 2 * along / uu * u[i];
      }
    };
    reflect([&](std::size_t i, std::size_t j) -> double& { return a(i, j); });
    reflect([&](std::size_t i, std::size_t j) -> double& { return a(j, i); });
  }
  return a;
}

// n numbers in geometric order from low to high.
inline std::vector<double> spread(std::size_t n, double low, double high) {
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i)
    values[i] = low * std::pow(high / low, static_cast<double>(i) / static_cast<double>(n - 1));
  return values;
}

inline double true_residual(const Matrix& a, const Vector& b, const Vector& x) {
  const Space space(a.n);
  Vector r = a.times(x);
  space.combine(1, b, -1, r);
  return std::sqrt(space.dot(r, r) / space.dot(b, b));
}

}  // namespace firn::testing
