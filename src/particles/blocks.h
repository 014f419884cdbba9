// The sparse grid: blocks of kEdge^D nodes that exist only where particles are, over unbounded
// space. The topology is fixed between two sorts of the particles; node fields are arrays indexed
// by (slot, node in block).
//
// A particle belongs to the block that holds its base node (see kernels.h); its position is stored
// relative to that block, in cells. It may drift up to kMargin cells out of the block before the
// particles must be sorted again, so a block scatters into an arena that is wider than the block
// on every side, and all its neighbours exist.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/schemes.h"
#include "base/vec.h"
#include "exec/buffer.h"

namespace firn {

constexpr int power(int base, int exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

template <int D>
struct BlockShape {
  static constexpr int kEdge = block_edge(D);
  static constexpr int kNodes = power(kEdge, D);
  static constexpr int kNeighbors = power(3, D);
  static constexpr int kMargin = 1;
};

template <int D>
using BlockCoord = Vec<std::int32_t, D>;

// 64-bit Morton code of a block: a range of codes is a piece of space.
template <int D>
std::uint64_t morton_key(const BlockCoord<D>& c);
template <int D>
BlockCoord<D> morton_coord(std::uint64_t key);

// Neighbour code of an offset in {-1,0,1}^D: base-3 digits, x fastest is last; the centre is
// kNeighbors / 2.
template <int D>
FIRN_INLINE int neighbor_code(const Vec<int, D>& offset) {
  int code = 0;
  for (int a = 0; a < D; ++a) code = code * 3 + offset[a] + 1;
  return code;
}
template <int D>
FIRN_INLINE Vec<int, D> neighbor_offset(int code) {
  Vec<int, D> offset;
  for (int a = D - 1; a >= 0; --a) {
    offset[a] = code % 3 - 1;
    code /= 3;
  }
  return offset;
}

// Along a periodic axis only the blocks [first, first + count) exist, and the last one borders on
// the first. No count: the axis is unbounded.
struct BlockPeriod {
  std::int32_t first = 0, count = 0;
};

// A coordinate in cells, at most one period outside, brought into the periodic range.
template <int D>
FIRN_INLINE double wrapped_cells(const BlockPeriod& period, double cells) {
  if (period.count == 0) return cells;
  const double low = double(period.first) * BlockShape<D>::kEdge;
  const double length = double(period.count) * BlockShape<D>::kEdge;
  return cells < low ? cells + length : cells >= low + length ? cells - length : cells;
}

template <int D>
class BlockTopology {
 public:
  using Neighbors = std::array<std::int32_t, BlockShape<D>::kNeighbors>;
  using Periods = std::array<BlockPeriod, D>;

  void set_periods(const Periods& periods) { periods_ = periods; }
  const Periods& periods() const { return periods_; }
  // The block that stands for the one at c.
  BlockCoord<D> wrapped(BlockCoord<D> c) const {
    for (int a = 0; a < D; ++a) {
      const auto [first, count] = periods_[a];
      if (count == 0) continue;
      const std::int32_t rest = (c[a] - first) % count;
      c[a] = first + (rest < 0 ? rest + count : rest);
    }
    return c;
  }
  double wrapped_cells(double cells, int axis) const {
    return firn::wrapped_cells<D>(periods_[axis], cells);
  }

  // Occupied blocks get the first slots, in the (ascending) order of the keys given; the empty
  // blocks around them follow.
  void build(const std::vector<std::uint64_t>& occupied_keys);

  int occupied() const { return occupied_; }
  int size() const { return static_cast<int>(coords_.size()); }
  const BlockCoord<D>& coord(int slot) const { return coords_[slot]; }
  std::uint64_t key(int slot) const { return keys_[slot]; }
  // Slots of the 3^D blocks around a slot, -1 where there is none.
  const Neighbors& neighbors(int slot) const { return neighbors_[slot]; }
  // Slot of a block, -1 where there is none.
  std::int32_t find(std::uint64_t key) const;
  std::size_t bytes() const;

 private:
  bool insert(std::uint64_t key, std::int32_t slot);
  void grow_table(std::size_t expected);

  Periods periods_{};
  int occupied_ = 0;
  std::vector<std::uint64_t> keys_;
  std::vector<BlockCoord<D>> coords_;
  std::vector<Neighbors> neighbors_;
  // Open-addressing hash table from key to slot; empty cells hold slot -1.
  std::vector<std::uint64_t> table_key_;
  std::vector<std::int32_t> table_slot_;
};

// Corners between which the occupied blocks lie; the wrong way round where there are none.
template <int D>
std::pair<BlockCoord<D>, BlockCoord<D>> occupied_corners(const BlockTopology<D>& blocks) {
  BlockCoord<D> first = BlockCoord<D>::fill(1), last = BlockCoord<D>::fill(0);
  for (int slot = 0; slot < blocks.occupied(); ++slot)
    for (int a = 0; a < D; ++a) {
      const std::int32_t at = blocks.coord(slot)[a];
      first[a] = slot == 0 ? at : std::min(first[a], at);
      last[a] = slot == 0 ? at : std::max(last[a], at);
    }
  return {first, last};
}

}  // namespace firn
