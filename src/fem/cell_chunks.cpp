#include "fem/cell_chunks.h"

#include <algorithm>

namespace firn {

CellChunks::CellChunks(const std::vector<std::uint32_t>& nodes, int nodes_a_cell,
                       std::size_t node_count)
    : cells(static_cast<std::uint32_t>(nodes.size() / static_cast<std::size_t>(nodes_a_cell))) {
  // Colours that the chunks around a node have, as bits; the few that 64 do not serve share the
  // last ones, one chunk each.
  std::vector<std::uint64_t> taken(node_count, 0);
  for (std::uint32_t chunk = 0; chunk < count(); ++chunk) {
    const std::size_t first = std::size_t(chunk) * kCells * static_cast<std::size_t>(nodes_a_cell);
    const std::size_t last = std::min(
        first + std::size_t(kCells) * static_cast<std::size_t>(nodes_a_cell), nodes.size());
    std::uint64_t around = 0;
    for (std::size_t k = first; k < last; ++k) around |= taken[nodes[k]];
    std::size_t color = 0;
    while (color < 64 && around >> color & 1) ++color;
    if (color == 64) {
      colors.push_back({chunk});
      continue;
    }
    for (std::size_t k = first; k < last; ++k) taken[nodes[k]] |= std::uint64_t(1) << color;
    if (colors.size() <= color) colors.resize(color + 1);
    colors[color].push_back(chunk);
  }
}

}  // namespace firn
