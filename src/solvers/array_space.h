// Vectors as contiguous arrays in host memory. Sums are taken in double, by chunks of fixed size
// and then in the order of the chunks: the same bytes for any number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "exec/buffer.h"
#include "exec/parallel.h"

namespace firn {

template <class T>
class ArraySpace {
 public:
  using Vector = Buffer<T>;

  // The plain product, sum a_i b_i.
  explicit ArraySpace(std::size_t size) : points_(size) {}
  // sum w_p a_p.b_p over points of some components each, stored one point after another.
  ArraySpace(std::vector<double> weights, int components)
      : points_(weights.size()), components_(components), weights_(std::move(weights)) {}

  std::size_t size() const { return points_ * static_cast<std::size_t>(components_); }

  Vector make() const {
    Vector v(size());
    for_entries([&](std::size_t i) { v[i] = 0; });
    return v;
  }
  void copy(const Vector& from, Vector& to) const {
    for_entries([&](std::size_t i) { to[i] = from[i]; });
  }
  void combine(double a, const Vector& x, double b, Vector& y) const {
    for_entries([&, s = static_cast<T>(a), t = static_cast<T>(b)](std::size_t i) {
      y[i] = s * x[i] + t * y[i];
    });
  }
  void scale(double a, Vector& y) const {
    for_entries([&, s = static_cast<T>(a)](std::size_t i) { y[i] *= s; });
  }
  double dot(const Vector& a, const Vector& b) const {
    const std::size_t chunks = (points_ + kChunk - 1) / kChunk;
    std::vector<double> sums(chunks);
    parallel_for("dot", static_cast<std::int64_t>(chunks), 1,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (auto c = static_cast<std::size_t>(begin); std::cmp_less(c, end); ++c)
                     sums[c] = sum_of_chunk(a, b, c * kChunk, std::min((c + 1) * kChunk, points_));
                 });
    double sum = 0;
    for (const double part : sums) sum += part;
    return sum;
  }

 private:
  static constexpr std::size_t kChunk = 4096;

  template <class Body>
  void for_entries(Body&& body) const {
    parallel_for("vectors", static_cast<std::int64_t>(size()), 4 * kChunk,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (auto i = static_cast<std::size_t>(begin); std::cmp_less(i, end); ++i)
                     body(i);
                 });
  }
  double sum_of_chunk(const Vector& a, const Vector& b, std::size_t begin, std::size_t end) const {
    if (weights_.empty()) return sum_of_products(a.data() + begin, b.data() + begin, end - begin);
    const auto d = static_cast<std::size_t>(components_);
    double sum = 0;
    for (std::size_t p = begin; p < end; ++p)
      sum += weights_[p] * sum_of_products(a.data() + p * d, b.data() + p * d, d);
    return sum;
  }
  // Four sums side by side, which the compiler may keep in one register.
  static double sum_of_products(const T* a, const T* b, std::size_t n) {
    constexpr std::size_t kLanes = 4;
    double lanes[kLanes] = {};
    std::size_t i = 0;
    for (; i + kLanes <= n; i += kLanes)
      for (std::size_t l = 0; l < kLanes; ++l)
        lanes[l] += static_cast<double>(a[i + l]) * static_cast<double>(b[i + l]);
    for (; i < n; ++i) lanes[0] += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  }

  std::size_t points_;
  int components_ = 1;
  std::vector<double> weights_;  // empty: all one
};

}  // namespace firn
