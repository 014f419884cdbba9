#include "mpm/coarse_blocks.h"

#include <algorithm>

namespace firn {
namespace {

// Blocks along the longest axis.
template <int D>
int extent(const std::vector<BlockCoord<D>>& coords) {
  int longest = 0;
  for (int a = 0; a < D; ++a) {
    const auto [low, high] =
        std::minmax_element(coords.begin(), coords.end(),
                            [&](const auto& one, const auto& other) { return one[a] < other[a]; });
    longest = std::max(longest, (*high)[a] - (*low)[a] + 1);
  }
  return longest;
}

template <int D>
std::vector<std::int32_t> find_around(const std::vector<BlockCoord<D>>& centers, int scale,
                                      const std::vector<BlockCoord<D>>& places,
                                      const PlaceTable<D>& table,
                                      const typename CoarseBlocks<D>::Periods& periods) {
  constexpr int kNeighbors = CoarseShape<D>::kNeighbors;
  std::vector<std::int32_t> found(centers.size() * kNeighbors);
  for (std::size_t n = 0; n < centers.size(); ++n)
    for (int code = 0; code < kNeighbors; ++code) {
      BlockCoord<D> c = neighbor_offset<D>(code);
      for (int a = 0; a < D; ++a) c[a] += scale * centers[n][a];
      found[n * kNeighbors + std::size_t(code)] = table.find(places, wrapped<D>(c, periods));
    }
  return found;
}

}  // namespace

template <int D>
bool CoarseBlocks<D>::can_halve(const Periods& finer) {
  return std::all_of(finer.begin(), finer.end(), [](const NodePeriod& p) {
    return p.count == 0 || (p.count % 2 == 0 && p.count >= 4 && p.first % 2 == 0);
  });
}

template <int D>
CoarseBlocks<D> CoarseBlocks<D>::above(const std::vector<Coord>& finer, const Periods& periods) {
  CoarseBlocks made;
  for (int a = 0; a < D; ++a) made.periods[a] = {periods[a].first / 2, periods[a].count / 2};
  PlaceTable<D> table(finer.size() / 2), finer_table(finer.size());
  std::vector<Coord> finer_places;
  for (const Coord& c : finer) {
    finer_table.insert(finer_places, c);
    for (int o = 0; o < CoarseShape<D>::kCorners; ++o) {
      Coord above = c;
      bool reached = true;
      for (int a = 0; a < D; ++a) {
        above[a] = (c[a] >> 1) + bit_of<D>(o, a);
        reached = reached && (bit_of<D>(o, a) == 0 || (c[a] & 1));
      }
      if (reached) table.insert(made.coords, wrapped<D>(above, made.periods));
    }
  }
  made.neighbors = find_around<D>(made.coords, 1, made.coords, table, made.periods);
  made.finer = find_around<D>(made.coords, 2, finer_places, finer_table, periods);
  return made;
}

template <int D>
std::vector<CoarseBlocks<D>> coarse_blocks(const std::vector<BlockCoord<D>>& finest,
                                           const typename CoarseBlocks<D>::Periods& periods) {
  std::vector<CoarseBlocks<D>> levels;
  if (finest.empty()) return levels;
  // Around a place between blocks there are three along each axis on all levels; once it is so
  // many the nodes of a body become fewer still.
  int further = BlockShape<D>::kEdge == 4 ? 3 : 4;
  while (levels.size() < std::size_t(kMostCoarse) && further > 0) {
    const auto& from = levels.empty() ? finest : levels.back().coords;
    const auto& around = levels.empty() ? periods : levels.back().periods;
    if (!CoarseBlocks<D>::can_halve(around)) break;
    levels.push_back(CoarseBlocks<D>::above(from, around));
    if (extent<D>(levels.back().coords) <= 3) --further;
  }
  return levels;
}

#define FIRN_INSTANTIATE(D)                                                                 \
  template struct CoarseBlocks<D>;                                                          \
  template std::vector<CoarseBlocks<D>> coarse_blocks<D>(const std::vector<BlockCoord<D>>&, \
                                                         const CoarseBlocks<D>::Periods&);
FIRN_INSTANTIATE(2)
FIRN_INSTANTIATE(3)

}  // namespace firn
