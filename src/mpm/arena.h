// The arena of a block: the box of nodes that its particles can touch until the next sort.
#pragma once

#include "mpm/blocks.h"

namespace firn {

template <int D, class Kernel>
struct Arena {
  static constexpr int kMargin = BlockShape<D>::kMargin;
  static constexpr int kCells = BlockShape<D>::kEdge + 2 * kMargin;  // base nodes along an axis
  static constexpr int kWidth = kCells + Kernel::kNodes - 1;
  static constexpr int kSize = power(kWidth, D);
};

// Part of an arena that lies in the neighbour block at `offset`: from `begin_arena` (arena
// coordinates) and `begin_block` (node coordinates in that block), `count` nodes along each axis.
template <int D>
struct Overlap {
  Vec<int, D> begin_arena, begin_block, count;
};

template <int D, class Kernel>
Overlap<D> overlap(const Vec<int, D>& offset) {
  constexpr int kEdge = BlockShape<D>::kEdge, kMargin = BlockShape<D>::kMargin;
  Overlap<D> r;
  for (int a = 0; a < D; ++a) {
    const int first = offset[a] * kEdge + kMargin;  // the neighbour's first node in the arena
    const int begin = first > 0 ? first : 0;
    const int last = first + kEdge < Arena<D, Kernel>::kWidth ? first + kEdge : Arena<D, Kernel>::kWidth;
    r.begin_arena[a] = begin;
    r.begin_block[a] = begin - first;
    r.count[a] = last > begin ? last - begin : 0;
  }
  return r;
}

// f(arena index, block index, length) for each contiguous run of nodes of an overlap.
template <int D, class Kernel, class F>
inline void for_each_run(const Overlap<D>& o, F&& f) {
  constexpr int W = Arena<D, Kernel>::kWidth, E = BlockShape<D>::kEdge;
  if constexpr (D == 2) {
    for (int i = 0; i < o.count[0]; ++i)
      f((o.begin_arena[0] + i) * W + o.begin_arena[1], (o.begin_block[0] + i) * E + o.begin_block[1],
        o.count[1]);
  } else {
    for (int i = 0; i < o.count[0]; ++i)
      for (int j = 0; j < o.count[1]; ++j)
        f(((o.begin_arena[0] + i) * W + o.begin_arena[1] + j) * W + o.begin_arena[2],
          ((o.begin_block[0] + i) * E + o.begin_block[1] + j) * E + o.begin_block[2], o.count[2]);
  }
}

}  // namespace firn
