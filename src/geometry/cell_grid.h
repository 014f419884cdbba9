// The cells of saturated sampling: at most one point each, found again by the bits of whole rows.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/vec.h"

namespace firn {

// Blocks of kBlock^D cells over a box around the origin, with a margin that is never filled so that
// neighbours need no check.
template <int D>
class CellGrid {
 public:
  using Cell = Vec<int, D>;
  using Spot = Vec<float, D>;  // in cells, from the low corner of one
  static constexpr int kBlock = D == 2 ? 24 : 8;
  static constexpr int kBlockCells = D == 2 ? kBlock * kBlock : kBlock * kBlock * kBlock;
  static constexpr int kReach = 2;  // cells further that a disk around a point of a cell reaches

  CellGrid(const Vec3d& half, double cell_side) : side_(cell_side) {
    std::int64_t slots = 1, bytes = 1;
    for (int i = 0; i < D; ++i) {
      blocks_[i] = std::max(1, static_cast<int>(std::ceil(2 * half[i] / (side_ * kBlock) + 1e-6)));
      low_[i] = -0.5 * blocks_[i] * kBlock * side_;
      stride_[i] = slots;
      slots *= blocks_[i] * kBlock + 2 * kReach;
      byte_stride_[i] = bytes;
      bytes *= i == 0 ? blocks_[i] * kBlock / 8 + 2 : blocks_[i] * kBlock + 2 * kReach;
    }
    spots_.resize(static_cast<std::size_t>(slots));
    filled_.assign(static_cast<std::size_t>(bytes), 0);
    list_layers();
  }

  double side() const { return side_; }  // m
  std::int64_t block_count() const {
    std::int64_t n = 1;
    for (int i = 0; i < D; ++i) n *= blocks_[i];
    return n;
  }
  Cell block_of(std::int64_t number) const {
    Cell block;
    for (int i = 0; i < D; ++i) {
      block[i] = static_cast<int>(number % blocks_[i]);
      number /= blocks_[i];
    }
    return block;
  }
  Cell cell_of(const Cell& block, int local) const {
    Cell cell;
    for (int i = 0; i < D; ++i, local /= kBlock) cell[i] = block[i] * kBlock + local % kBlock;
    return cell;
  }
  Vec3d position(const Cell& cell, const Spot& spot) const {
    Vec3d p = Vec3d::zero();
    for (int i = 0; i < D; ++i) p[i] = low_[i] + (cell[i] + double(spot[i])) * side_;
    return p;
  }

  bool is_filled(const Cell& cell) const { return filled_[byte_of(cell)] >> (cell[0] & 7) & 1; }
  const Spot& spot_of(const Cell& cell) const { return spots_[slot_of(cell)]; }
  void fill(const Cell& cell, const Spot& spot) {
    spots_[slot_of(cell)] = spot;
    filled_[byte_of(cell)] |= static_cast<std::uint8_t>(1 << (cell[0] & 7));
  }

  // Calls visit(point relative to the cell) for the points of other cells whose disks may reach
  // into this one, those of near rows first, until it returns false; says whether it never did.
  template <class Visit>
  bool for_each_near(const Cell& cell, Visit visit) const {
    const Spot* spots = spots_.data() + slot_of(cell);
    const std::uint8_t* bytes = filled_.data() + byte_of(cell);
    const int shift = 8 + (cell[0] & 7) - kReach;
    for (const Layer& layer : layers_) {
      std::uint32_t bits = 0;  // of all its cells, without a branch on any of them
      for (int row = 0; row < kWidth; ++row) {
        const std::uint8_t* b = bytes + layer.row_step[row];
        const std::uint32_t window = (b[-1] | b[0] << 8 | b[1] << 16) >> shift;
        bits |= (window & ((1 << kWidth) - 1)) << kWidth * row;
      }
      for (bits &= layer.mask; bits != 0; bits &= bits - 1) {
        const Near& near = layer.cells[std::countr_zero(bits)];
        if (!visit(near.offset + spots[near.step])) return false;
      }
    }
    return true;
  }

 private:
  static constexpr int kWidth = 2 * kReach + 1;
  static constexpr int kNearFirst[kWidth] = {0, -1, 1, -2, 2};

  struct Near {
    std::int64_t step;  // in slots
    Spot offset;
  };
  // Cells around one, in a plane of the first two axes: a bit each, row by row.
  struct Layer {
    std::uint32_t mask = 0;         // those that disks reach
    std::int64_t row_step[kWidth];  // in bytes
    Near cells[kWidth * kWidth];
  };
  void list_layers() {
    for (const int z : kNearFirst) {
      if (D == 2 && z != 0) break;
      Layer layer;
      for (int bit = 0; bit < kWidth * kWidth; ++bit) {
        const int at[3] = {bit % kWidth - kReach, kNearFirst[bit / kWidth], z};
        Near near{0, Spot::zero()};
        std::int64_t row_step = 0;
        int gap2 = 0;
        for (int i = 0; i < D; ++i) {
          near.step += at[i] * stride_[i];
          near.offset[i] = static_cast<float>(at[i]);
          gap2 += square(std::max(0, std::abs(at[i]) - 1));
          if (i > 0) row_step += at[i] * byte_stride_[i];
        }
        layer.cells[bit] = near;
        layer.row_step[bit / kWidth] = row_step;
        if (gap2 < D && near.step != 0) layer.mask |= 1u << bit;
      }
      layers_.push_back(layer);
    }
  }

  std::size_t slot_of(const Cell& cell) const {
    std::int64_t slot = 0;
    for (int i = 0; i < D; ++i) slot += (cell[i] + kReach) * stride_[i];
    return static_cast<std::size_t>(slot);
  }
  std::size_t byte_of(const Cell& cell) const {
    std::int64_t byte = cell[0] / 8 + 1;
    for (int i = 1; i < D; ++i) byte += (cell[i] + kReach) * byte_stride_[i];
    return static_cast<std::size_t>(byte);
  }

  double side_;
  Cell blocks_;
  Vec<double, D> low_;
  Vec<std::int64_t, D> stride_, byte_stride_;
  std::vector<Layer> layers_;
  std::vector<Spot> spots_;           // by slot
  std::vector<std::uint8_t> filled_;  // a bit a cell; a byte belongs to one block
};

}  // namespace firn
