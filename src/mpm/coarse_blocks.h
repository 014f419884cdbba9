// Blocks of the nodes of coarser grids, above the blocks of a finer one: tables for devices, where
// nodes find each other by block and place.
#pragma once

#include <cstdint>
#include <vector>

#include "mpm/coarse_node.h"
#include "mpm/place_table.h"

namespace firn {

constexpr int kMostCoarse = 14;  // grids

template <int D>
struct CoarseBlocks {
  using Coord = BlockCoord<D>;
  using Periods = std::array<NodePeriod, D>;  // of blocks

  std::vector<Coord> coords;  // in an order that follows from that of the finer ones
  Periods periods{};
  // 3^D of each block, -1 where there is none: those around it, and those of the finer grid around
  // the one that has the node at the place of the block's first one.
  std::vector<std::int32_t> neighbors, finer;

  static bool can_halve(const Periods& finer);
  // All that have a node around which the finer blocks may have one.
  static CoarseBlocks above(const std::vector<Coord>& finer, const Periods& periods);
};

// Coarser and coarser ones, until a body is a few nodes.
template <int D>
std::vector<CoarseBlocks<D>> coarse_blocks(const std::vector<BlockCoord<D>>& finest,
                                           const typename CoarseBlocks<D>::Periods& periods);

}  // namespace firn
