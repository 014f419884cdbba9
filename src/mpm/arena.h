// The arena of a block: the box of nodes that its particles can touch until the next sort.
#pragma once

#include <array>

#include "base/lane_ops.h"
#include "particles/blocks.h"

namespace firn {

template <int D, class Kernel>
struct Arena {
  static constexpr int kMargin = BlockShape<D>::kMargin;
  static constexpr int kCells = BlockShape<D>::kEdge + 2 * kMargin;  // base nodes along an axis
  static constexpr int kWidth = kCells + Kernel::kNodes - 1;
  static constexpr int kSize = power(kWidth, D);
  // Index of the block's own first node.
  static constexpr int kOrigin = kMargin * (D == 3 ? (kWidth + 1) * kWidth + 1 : kWidth + 1);
};

// Along one axis, the part of an arena that lies in the neighbour block at an offset of -1, 0 or 1:
// `count` nodes from `in_arena` (arena coordinates) and `in_block` (coordinates in that block) on.
struct AxisOverlap {
  int in_arena, in_block, count;
};

template <int D, class Kernel>
constexpr AxisOverlap axis_overlap(int offset) {
  constexpr int kEdge = BlockShape<D>::kEdge, kWidth = Arena<D, Kernel>::kWidth;
  const int first = offset * kEdge + BlockShape<D>::kMargin;  // the neighbour's first node
  const int begin = first > 0 ? first : 0;
  const int end = first + kEdge < kWidth ? first + kEdge : kWidth;
  return {begin, begin - first, end > begin ? end - begin : 0};
}

// f(arena index, block index, length) for each run of nodes, contiguous in both, that an arena
// shares with the neighbour block of the given code. The length is a constant of its type, so that
// runs of one to four nodes become plain moves.
template <int D, class Kernel, class F>
FIRN_HOST_INLINE void for_each_run(int code, F&& f) {
  constexpr int W = Arena<D, Kernel>::kWidth, E = BlockShape<D>::kEdge;
  constexpr AxisOverlap kAxis[3] = {axis_overlap<D, Kernel>(-1), axis_overlap<D, Kernel>(0),
                                    axis_overlap<D, Kernel>(1)};
  const AxisOverlap x = kAxis[D == 3 ? code / 9 : code / 3], y = kAxis[code / 3 % 3];
  const auto runs_along_last = [&](auto last) FIRN_INLINE_LAMBDA {
    constexpr AxisOverlap z = kAxis[last];
    constexpr std::integral_constant<int, z.count> length{};
    for (int i = 0; i < x.count; ++i) {
      const int arena_i = x.in_arena + i, block_i = x.in_block + i;
      if constexpr (D == 2) {
        f(arena_i * W + z.in_arena, block_i * E + z.in_block, length);
      } else {
        for (int j = 0; j < y.count; ++j)
          f((arena_i * W + y.in_arena + j) * W + z.in_arena,
            (block_i * E + y.in_block + j) * E + z.in_block, length);
      }
    }
  };
  switch (code % 3) {
    case 0:
      return runs_along_last(std::integral_constant<int, 0>{});
    case 1:
      return runs_along_last(std::integral_constant<int, 1>{});
    default:
      return runs_along_last(std::integral_constant<int, 2>{});
  }
}

// Where the nodes that an arena shares with each neighbour block begin in an arena that is stored
// share by share (see write_shares), and the whole size.
template <int D, class Kernel>
constexpr std::array<int, BlockShape<D>::kNeighbors + 1> share_begins() {
  std::array<int, BlockShape<D>::kNeighbors + 1> begin{};
  for (int code = 0; code < BlockShape<D>::kNeighbors; ++code) {
    int size = 1, rest = code;
    for (int a = 0; a < D; ++a) {
      size *= axis_overlap<D, Kernel>(rest % 3 - 1).count;
      rest /= 3;
    }
    begin[code + 1] = begin[code] + size;
  }
  return begin;
}

// What a block scattered is kept as one share per neighbour block, so that summing the shares
// addressed to a block reads contiguous memory.
template <int D, class Kernel>
inline constexpr auto kShareBegin = share_begins<D, Kernel>();

}  // namespace firn
