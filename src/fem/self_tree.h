// A tree of boxes over things that move: its shape comes once from where they are at rest, its
// boxes are fitted anew to where they are now.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/vec.h"
#include "exec/parallel.h"

namespace firn {

template <int D>
struct SelfBox {
  Vec<double, D> low = Vec<double, D>::fill(std::numeric_limits<double>::infinity());
  Vec<double, D> high = Vec<double, D>::fill(-std::numeric_limits<double>::infinity());

  void include(const Vec<double, D>& p) {
    for (int a = 0; a < D; ++a) {
      low[a] = p[a] < low[a] ? p[a] : low[a];
      high[a] = p[a] > high[a] ? p[a] : high[a];
    }
  }
  void include(const SelfBox& other) {
    include(other.low);
    include(other.high);
  }
  bool contains(const Vec<double, D>& p) const {
    bool inside = true;
    for (int a = 0; a < D; ++a) inside &= low[a] <= p[a] && p[a] <= high[a];
    return inside;
  }
  double distance2(const Vec<double, D>& p) const {
    double d = 0;
    for (int a = 0; a < D; ++a) {
      const double off = std::max(std::max(low[a] - p[a], p[a] - high[a]), 0.0);
      d += off * off;
    }
    return d;
  }
};

// Complete and binary: node 1 is the root, those of k are 2k and 2k + 1, and the leaves share out
// the items in their order.
template <int D>
class SelfTree {
 public:
  SelfTree() = default;
  // Items are halved across the longest side of their centres' box; equal places go by number.
  SelfTree(std::vector<std::uint32_t> items, const std::vector<Vec<double, D>>& center_of_item,
           std::size_t items_per_leaf);

  // box_of(item) is a SelfBox that holds it.
  template <class BoxOf>
  void refit(BoxOf&& box_of) {
    if (items_.empty()) return;
    const auto leaves = static_cast<std::int64_t>(leaves_);
    parallel_for("self contact, boxes", leaves, kLeavesAtOnce,
                 [&](std::int64_t i, std::int64_t end) {
                   for (; i < end; ++i) {
                     SelfBox<D> box;
                     for (std::size_t k = start(i); k < start(i + 1); ++k)
                       box.include(box_of(items_[k]));
                     boxes_[leaves_ + i] = box;
                   }
                 });
    for (std::int64_t first = leaves / 2; first > 0; first /= 2)
      parallel_for("self contact, boxes", first, kNodesAtOnce,
                   [&](std::int64_t i, std::int64_t end) {
                     for (i += first, end += first; i < end; ++i) {
                       boxes_[i] = boxes_[2 * i];
                       boxes_[i].include(boxes_[2 * i + 1]);
                     }
                   });
  }

  // take(item) for the items of each leaf whose box holds p, in the order of the tree.
  template <class Take>
  void visit_around(const Vec<double, D>& p, Take&& take) const {
    find_leaf(p, [&](std::size_t leaf) {
      for (std::size_t k = start(leaf); k < start(leaf + 1); ++k) take(items_[k]);
      return false;
    });
  }
  // Whether there is such a leaf.
  bool any_around(const Vec<double, D>& p) const {
    return find_leaf(p, [](std::size_t) { return true; });
  }

  // take(item) for the items of each leaf whose box is no farther from p than the square root of
  // `within2`, which take may lower; near ones first.
  template <class Take>
  void visit_near(const Vec<double, D>& p, const double& within2, Take&& take) const {
    if (items_.empty()) return;
    struct Waiting {
      std::size_t node;
      double distance2;
    } stack[kDepth];
    int waiting = 0;
    stack[waiting++] = {1, boxes_[1].distance2(p)};
    while (waiting > 0) {
      const Waiting next = stack[--waiting];
      if (!(next.distance2 <= within2)) continue;
      if (next.node >= leaves_) {
        const std::size_t leaf = next.node - leaves_;
        for (std::size_t k = start(leaf); k < start(leaf + 1); ++k) take(items_[k]);
        continue;
      }
      const Waiting left{2 * next.node, boxes_[2 * next.node].distance2(p)};
      const Waiting right{2 * next.node + 1, boxes_[2 * next.node + 1].distance2(p)};
      const bool left_first = left.distance2 <= right.distance2;
      stack[waiting++] = left_first ? right : left;
      stack[waiting++] = left_first ? left : right;
    }
  }

 private:
  static constexpr int kDepth = 128;  // more than twice the levels of any tree
  static constexpr std::int64_t kLeavesAtOnce = 512, kNodesAtOnce = 4096;

  // The first leaf whose box holds p and that suits, if any.
  template <class Suits>
  bool find_leaf(const Vec<double, D>& p, Suits&& suits) const {
    if (items_.empty() || !boxes_[1].contains(p)) return false;
    std::size_t stack[kDepth];
    int waiting = 0;
    for (std::size_t node = 1;;) {
      if (node >= leaves_) {
        if (suits(node - leaves_)) return true;
      } else {
        const bool left = boxes_[2 * node].contains(p), right = boxes_[2 * node + 1].contains(p);
        if (left && right) stack[waiting++] = 2 * node + 1;
        if (left || right) {
          node = left ? 2 * node : 2 * node + 1;
          continue;
        }
      }
      if (waiting == 0) return false;
      node = stack[--waiting];
    }
  }
  std::size_t start(std::size_t leaf) const { return leaf * items_.size() / leaves_; }
  void halve(std::size_t first, std::size_t last, const std::vector<Vec<double, D>>& center);

  std::size_t leaves_ = 1;
  std::vector<std::uint32_t> items_;
  std::vector<SelfBox<D>> boxes_;
};

extern template class SelfTree<2>;
extern template class SelfTree<3>;

}  // namespace firn
