// Grains in the order of blocks, cells and their parts. Which thread did what never matters: a
// block's grains come from the pieces in ascending order, each in its own.
#pragma once

#include <vector>

#include "grains/grain_columns.h"

namespace firn {

// Grains that lie one after the other, with places relative to one block.
template <int D>
struct GrainPiece {
  BlockCoord<D> block;
  std::uint32_t begin, end;
};

template <int D>
class GrainOrder {
 public:
  GrainOrder() = default;
  GrainOrder(const GrainCells<D>& cells, const typename BlockTopology<D>::Periods& periods)
      : cells_(cells) {
    blocks_.set_periods(periods);
  }

  // Sorts grains that may be anywhere, out of pieces that cover them, and drops those whose id is
  // kNoGrain or that are beyond what the grid can number.
  void sort(const std::vector<GrainPiece<D>>& pieces, GrainColumns<D>& grains);
  // As they lie now.
  std::vector<GrainPiece<D>> pieces() const;

  const BlockTopology<D>& blocks() const { return blocks_; }
  const GrainCells<D>& cells() const { return cells_; }
  // First grain of a part of a cell; parts of a block, and blocks, follow one another.
  std::uint32_t begin(std::int64_t block, int part) const {
    return begin_[block * cells_.parts() + part];
  }
  std::uint32_t end(std::int64_t block, int part) const {
    return begin_[block * cells_.parts() + part + 1];
  }
  // By part of a cell, and where the last one ends.
  const std::uint32_t* begins_of(std::int64_t block, int cell) const {
    return begin_.data() + block * cells_.parts() + cell * GrainCells<D>::kParts;
  }
  std::size_t bytes() const;

  // For checkpoints.
  const std::vector<std::uint32_t>& begins() const { return begin_; }
  // False where they do not fit together.
  bool restore(const std::vector<std::uint64_t>& keys, std::vector<std::uint32_t> begins,
               std::size_t grains);

 private:
  struct Parcel {  // grains of one piece for one block
    std::uint64_t key;
    std::uint32_t piece, count, first;
  };
  template <class F>
  void for_parcels(const char* name, const std::vector<GrainPiece<D>>& pieces,
                   const GrainColumns<D>& grains, F&& f);
  void address(const std::vector<GrainPiece<D>>& pieces, const GrainColumns<D>& grains);
  void send(const std::vector<GrainPiece<D>>& pieces, GrainColumns<D>& grains);
  void order_blocks(const GrainColumns<D>& grains);

  GrainCells<D> cells_;
  BlockTopology<D> blocks_;
  std::vector<std::uint32_t> begin_{0};
  std::vector<std::vector<Parcel>> parcels_;  // by piece
  std::vector<std::uint32_t> block_begin_;
  Buffer<std::uint32_t> order_;
};

}  // namespace firn
