// Cells in an order that keeps neighbours together, in chunks with colours: chunks of one colour
// share no node.
#pragma once

#include <cstdint>
#include <vector>

namespace firn {

struct CellChunks {
  static constexpr std::uint32_t kCells = 128;

  std::uint32_t cells = 0;
  std::vector<std::vector<std::uint32_t>> colors;  // chunks of each

  CellChunks() = default;
  // `nodes`: nodes_a_cell of each cell, in their order.
  CellChunks(const std::vector<std::uint32_t>& nodes, int nodes_a_cell, std::size_t node_count);

  std::uint32_t count() const { return (cells + kCells - 1) / kCells; }
};

}  // namespace firn
