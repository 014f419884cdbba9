// Blocks of the grid cut into cells: as wide at least as anything that acts on a grain reaches, so
// that the cells next to its own hold all of it. Places are relative to blocks, in grid cells.
#pragma once

#include <cmath>

#include "base/math.h"
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

// Whose cell lies beside the one at `at`: in which of the neighbouring blocks, with which number,
// and what takes places there to ones relative to the block of `at`.
template <int D>
struct CellBeside {
  int neighbor, number;
  Vec<float, D> offset;
};
template <int D>
FIRN_INLINE CellBeside<D> cell_beside(const GrainCells<D>& cells, const Vec<int, D>& at, int code) {
  const Vec<int, D> step = neighbor_offset<D>(code);
  CellBeside<D> r{0, 0, {}};
  for (int a = 0; a < D; ++a) {
    const int other = at[a] + step[a], beyond = other < 0 ? -1 : other >= cells.along ? 1 : 0;
    r.offset[a] = float(beyond * GrainCells<D>::kEdge);
    r.number = r.number * cells.along + other - beyond * cells.along;
    r.neighbor = r.neighbor * 3 + beyond + 1;
  }
  return r;
}

// f(block, cell, offset, code) for a cell of a block and those next to it, as far as their blocks
// are occupied; `offset` takes places in that block to ones relative to the first, `code` is that
// of neighbor_offset.
template <int D, class F>
inline void for_cells_around(const BlockTopology<D>& blocks, const GrainCells<D>& cells, int block,
                             int cell, F&& f) {
  const Vec<int, D> at = cells.coord(cell);
  for (int code = 0; code < BlockShape<D>::kNeighbors; ++code) {
    const CellBeside<D> beside = cell_beside(cells, at, code);
    const int there = blocks.neighbors(block)[beside.neighbor];
    if (there >= 0 && there < blocks.occupied()) f(there, beside.number, beside.offset, code);
  }
}

template <int D>
inline constexpr std::int32_t kFarthestBlock = D == 3 ? 1 << 19 : 1 << 29;  // from the origin

// The block that holds a place given in cells from the origin, and the place in it.
template <int D>
struct BlockPlace {
  BlockCoord<D> block = BlockCoord<D>::zero();
  Vec<float, D> place = Vec<float, D>::zero();
};
// False beyond what the grid can number. Without periods.
template <int D>
FIRN_INLINE bool find_block_place(const Vec<double, D>& cells, BlockPlace<D>& to) {
  constexpr double kFarthest = kFarthestBlock<D>;
  constexpr int kEdge = BlockShape<D>::kEdge;
  for (int a = 0; a < D; ++a) {
    const double block = std::floor(cells[a] / kEdge);
    if (!(block >= -kFarthest && block <= kFarthest)) return false;
    to.block[a] = static_cast<std::int32_t>(block);
    to.place[a] = static_cast<float>(cells[a] - block * kEdge);
  }
  return true;
}
template <int D>
inline bool block_place(const Vec<double, D>& cells, const BlockTopology<D>& blocks,
                        BlockPlace<D>& to) {
  if (!find_block_place(cells, to)) return false;
  to.block = blocks.wrapped(to.block);
  return true;
}

// How many blocks further on a place lies. False beyond what the grid can number.
template <int D>
FIRN_INLINE bool find_steps(const Vec<float, D>& place, Vec<std::int32_t, D>& steps) {
  for (int a = 0; a < D; ++a) {
    const float step = std::floor(place[a] * (1.0f / BlockShape<D>::kEdge));
    if (!(abs_of(step) <= float(kFarthestBlock<D>))) return false;
    steps[a] = static_cast<std::int32_t>(step);
  }
  return true;
}
template <int D>
FIRN_INLINE bool is_numbered(const BlockCoord<D>& block) {
  for (int a = 0; a < D; ++a)
    if (block[a] < -kFarthestBlock<D> || block[a] > kFarthestBlock<D>) return false;
  return true;
}

}  // namespace firn
