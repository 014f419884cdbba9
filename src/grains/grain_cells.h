// Blocks of the grid cut into cells: as wide at least as anything that acts on a grain reaches, so
// that the cells next to its own hold all of it. Places are relative to blocks, in grid cells.
#pragma once

#include "particles/blocks.h"

namespace firn {

template <int D>
struct GrainCells {
  static constexpr int kEdge = BlockShape<D>::kEdge;
  static constexpr int kParts = 1 << D;                // of a cell: its grains lie in this order
  static constexpr int kMostAlong = D == 3 ? 16 : 64;  // parts are numbered by 16 bits

  int along = 1;  // cells along the edge of a block

  GrainCells() = default;
  explicit GrainCells(double reach)
      : along(std::clamp(static_cast<int>(kEdge / reach), 1, kMostAlong)) {}

  FIRN_INLINE int count() const { return power(along, D); }
  FIRN_INLINE int parts() const { return count() * kParts; }
  FIRN_INLINE float edge() const { return float(kEdge) / float(along); }

  // Number of the cell that holds a place of the block.
  FIRN_INLINE int cell(const Vec<float, D>& place) const {
    int number = 0;
    for (int a = 0; a < D; ++a) number = number * along + whole(place[a], along);
    return number;
  }
  FIRN_INLINE int part(const Vec<float, D>& place) const {
    int cell = 0, part = 0;
    for (int a = 0; a < D; ++a) {
      const int half = whole(place[a], 2 * along);
      cell = cell * along + half / 2;
      part = part * 2 + half % 2;
    }
    return cell * kParts + part;
  }
  FIRN_INLINE Vec<int, D> coord(int cell) const {
    Vec<int, D> c;
    for (int a = D - 1; a >= 0; --a) {
      c[a] = cell % along;
      cell /= along;
    }
    return c;
  }

 private:
  FIRN_INLINE static int whole(float x, int n) {
    const int i = static_cast<int>(x * (float(n) / float(kEdge)));
    return i < 0 ? 0 : i < n ? i : n - 1;
  }
};

// f(block, cell, offset) for a cell of a block and those next to it, as far as their blocks are
// occupied; `offset` takes places in that block to ones relative to the first.
template <int D, class F>
inline void for_cells_around(const BlockTopology<D>& blocks, const GrainCells<D>& cells, int block,
                             int cell, F&& f) {
  const Vec<int, D> at = cells.coord(cell);
  for (int code = 0; code < BlockShape<D>::kNeighbors; ++code) {
    Vec<int, D> other = at + neighbor_offset<D>(code), beyond = Vec<int, D>::zero();
    Vec<float, D> offset;
    int number = 0;
    for (int a = 0; a < D; ++a) {
      beyond[a] = other[a] < 0 ? -1 : other[a] >= cells.along ? 1 : 0;
      other[a] -= beyond[a] * cells.along;
      offset[a] = float(beyond[a] * GrainCells<D>::kEdge);
      number = number * cells.along + other[a];
    }
    const int there = blocks.neighbors(block)[neighbor_code<D>(beyond)];
    if (there >= 0 && there < blocks.occupied()) f(there, number, offset);
  }
}

// The block that holds a place given in cells from the origin, and the place in it.
template <int D>
struct BlockPlace {
  BlockCoord<D> block = BlockCoord<D>::zero();
  Vec<float, D> place = Vec<float, D>::zero();
};
// False beyond what the grid can number.
template <int D>
inline bool block_place(const Vec<double, D>& cells, const BlockTopology<D>& blocks,
                        BlockPlace<D>& to) {
  constexpr double kFarthest = D == 3 ? 1 << 19 : 1 << 29;
  constexpr int kEdge = BlockShape<D>::kEdge;
  for (int a = 0; a < D; ++a) {
    const double block = std::floor(cells[a] / kEdge);
    if (!(block >= -kFarthest && block <= kFarthest)) return false;
    to.block[a] = static_cast<std::int32_t>(block);
    to.place[a] = static_cast<float>(cells[a] - block * kEdge);
  }
  to.block = blocks.wrapped(to.block);
  return true;
}

}  // namespace firn
