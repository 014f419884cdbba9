// Velocities of the nodes of the grid as vectors for src/solvers, in the product sum m a.b, in
// which the operator of an implicit step is self-adjoint. Sums are taken in double, by chunks of
// fixed size and then in their order: the same bytes for any number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>
#include <vector>

#include "exec/parallel.h"
#include "mpm/node_field.h"
#include "solvers/space.h"

namespace firn {

template <class T, int D>
class NodeSpace {
 public:
  using Vector = Buffer<Node<T>>;

  // Nodes of mass 0 are there, and all that is theirs is 0.
  explicit NodeSpace(const Buffer<T>& mass) : mass_(mass) {}

  std::size_t size() const { return mass_.size(); }
  const Buffer<T>& mass() const { return mass_; }

  Vector make() const {
    Vector v(size());
    for_nodes([&](std::size_t i) { v[i] = Node<T>(0); });
    return v;
  }
  void copy(const Vector& from, Vector& to) const {
    for_nodes([&](std::size_t i) { to[i] = from[i]; });
  }
  void combine(double a, const Vector& x, double b, Vector& y) const {
    const Node<T> s{T(a)}, t{T(b)};
    for_nodes([&](std::size_t i) { y[i] = s * x[i] + t * y[i]; });
  }
  void scale(double a, Vector& y) const {
    if (a == 0)
      for_nodes([&](std::size_t i) { y[i] = Node<T>(0); });
    else
      for_nodes([&, s = Node<T>(T(a))](std::size_t i) { y[i] = s * y[i]; });
  }
  double dot(const Vector& a, const Vector& b) const {
    return sum([&](std::size_t i) {
      double product = 0;
      for (int c = 0; c < D; ++c) product += double(a[i][c]) * double(b[i][c]);
      return double(mass_[i]) * product;
    });
  }
  // |a|^2, a.b and |b|^2 at once.
  Products products(const Vector& a, const Vector& b) const {
    const std::size_t chunks = (size() + kChunk - 1) / kChunk;
    std::vector<Products> sums(chunks);
    parallel_for("products", static_cast<std::int64_t>(chunks), 1,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (auto c = static_cast<std::size_t>(begin); std::cmp_less(c, end); ++c)
                     sums[c] =
                         products_of_chunk(a, b, c * kChunk, std::min((c + 1) * kChunk, size()));
                 });
    Products total;
    for (const Products& part : sums) {
      total.aa += part.aa;
      total.ab += part.ab;
      total.bb += part.bb;
    }
    return total;
  }
  bool same(const Vector& a, const Vector& b) const {
    std::atomic<bool> all = true;
    parallel_for("same", static_cast<std::int64_t>(size()), 4 * kChunk,
                 [&](std::int64_t begin, std::int64_t end) {
                   const std::size_t bytes = sizeof(Node<T>) * std::size_t(end - begin);
                   if (std::memcmp(a.data() + begin, b.data() + begin, bytes) != 0)
                     all.store(false, std::memory_order_relaxed);
                 });
    return all.load();
  }
  // term(node), summed.
  template <class Term>
  double sum(const Term& term) const {
    const std::size_t chunks = (size() + kChunk - 1) / kChunk;
    std::vector<double> sums(chunks);
    parallel_for("dot", static_cast<std::int64_t>(chunks), 1,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (auto c = static_cast<std::size_t>(begin); std::cmp_less(c, end); ++c)
                     sums[c] = sum_of_chunk(term, c * kChunk, std::min((c + 1) * kChunk, size()));
                 });
    double total = 0;
    for (const double part : sums) total += part;
    return total;
  }
  // The largest term(node).
  template <class Term>
  double largest(const Term& term) const {
    double most = 0;
    for (std::size_t i = 0; i < size(); ++i)
      if (mass_[i] > T(0)) most = std::max(most, double(term(i)));
    return most;
  }
  template <class Body>
  void for_nodes(const Body& body) const {
    parallel_for("vectors", static_cast<std::int64_t>(size()), 4 * kChunk,
                 [&](std::int64_t begin, std::int64_t end) {
                   for (auto i = static_cast<std::size_t>(begin); std::cmp_less(i, end); ++i)
                     body(i);
                 });
  }

 private:
  static constexpr std::size_t kChunk = 2048;

  Products products_of_chunk(const Vector& a, const Vector& b, std::size_t begin,
                             std::size_t end) const {
    double aa[D] = {}, ab[D] = {}, bb[D] = {};
    for (std::size_t i = begin; i < end; ++i) {
      const double m = double(mass_[i]);
      for (int c = 0; c < D; ++c) {
        const double x = double(a[i][c]), y = double(b[i][c]), mx = m * x;
        aa[c] += mx * x;
        ab[c] += mx * y;
        bb[c] += m * y * y;
      }
    }
    Products sum;
    for (int c = 0; c < D; ++c) {
      sum.aa += aa[c];
      sum.ab += ab[c];
      sum.bb += bb[c];
    }
    return sum;
  }

  // Four sums side by side.
  template <class Term>
  static double sum_of_chunk(const Term& term, std::size_t begin, std::size_t end) {
    constexpr std::size_t kLanes = 4;
    double lanes[kLanes] = {};
    std::size_t i = begin;
    for (; i + kLanes <= end; i += kLanes)
      for (std::size_t l = 0; l < kLanes; ++l) lanes[l] += term(i + l);
    for (; i < end; ++i) lanes[0] += term(i);
    return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  }

  const Buffer<T>& mass_;
};

}  // namespace firn
