// What the last steps of a descent say about the curvature that its linear systems do not have
// (limited-memory BFGS, Nocedal and Wright 7.2, around a solve in place of a scaled identity).
#pragma once

#include <cmath>
#include <vector>

#include "solvers/space.h"

namespace firn {

template <VectorSpace Space>
class SecantMemory {
  using Vector = typename Space::Vector;

 public:
  SecantMemory(const Space& space, int most)
      : space_(space), most_(static_cast<std::size_t>(most)) {}

  void clear() {
    count_ = 0;
    open_ = false;
  }
  // A step begins at x with gradient g, along what is free.
  void begin(const Vector& x, const Vector& g) {
    if (most_ == 0) return;
    if (pairs_.size() <= most_) pairs_.push_back({space_.make(), space_.make(), 0, 0});
    Pair& next = at(count_);
    space_.copy(x, next.s);
    space_.copy(g, next.y);
    open_ = true;
  }
  // It has led to x, with g. Steps along which the gradient does not rise say nothing.
  void end(const Vector& x, const Vector& g) {
    constexpr double kLeast = 1e-10;
    if (!open_) return;
    open_ = false;
    Pair& next = at(count_);
    space_.combine(1, x, -1, next.s);
    space_.combine(1, g, -1, next.y);
    const double rise = space_.dot(next.s, next.y);
    const double sizes = space_.dot(next.s, next.s) * space_.dot(next.y, next.y);
    if (!(rise > kLeast * std::sqrt(sizes)) || !std::isfinite(rise)) return;
    next.inverse = 1 / rise;
    if (count_ == most_)
      first_ = (first_ + 1) % pairs_.size();
    else
      ++count_;
  }
  // Around the solve of a system whose right-hand side is b: what it is to be solved for, and what
  // its solution becomes.
  void before(Vector& b) {
    for (std::size_t k = count_; k-- > 0;) {
      Pair& pair = at(k);
      pair.share = pair.inverse * space_.dot(pair.s, b);
      space_.combine(-pair.share, pair.y, 1, b);
    }
  }
  void after(Vector& d) {
    for (std::size_t k = 0; k < count_; ++k) {
      const Pair& pair = at(k);
      space_.combine(pair.share - pair.inverse * space_.dot(pair.y, d), pair.s, 1, d);
    }
  }

 private:
  struct Pair {
    Vector s, y;  // ways and what gradients changed by
    double inverse, share;
  };
  Pair& at(std::size_t k) { return pairs_[(first_ + k) % pairs_.size()]; }

  const Space& space_;
  std::size_t most_, first_ = 0, count_ = 0;
  std::vector<Pair> pairs_;  // one more than are kept: that of the step that goes on
  bool open_ = false;
};

}  // namespace firn
