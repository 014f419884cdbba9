#include "surface/point_bins.h"

#include <algorithm>

#include "exec/parallel.h"

namespace firn {
namespace {

struct Place {
  SampleBlockCoord block;
  Vec3f position;
};

Place place_of(const Vec3f& x, double voxel) {
  Place place;
  std::int32_t* block[3] = {&place.block.x, &place.block.y, &place.block.z};
  for (int a = 0; a < 3; ++a) {
    const double voxels = x[a] / voxel;
    const double number = std::floor(voxels / kBlockEdge);
    *block[a] = static_cast<std::int32_t>(number);
    place.position[a] = static_cast<float>(voxels - number * kBlockEdge);
  }
  return place;
}

void find_extents(PointBins& bins) {
  bins.extent.resize(static_cast<std::size_t>(bins.grid.size()));
  parallel_for("extents", bins.grid.size(), 256, [&](std::int64_t first, std::int64_t last) {
    for (auto b = static_cast<std::size_t>(first); b < static_cast<std::size_t>(last); ++b) {
      PointBins::Extent extent{bins.position[bins.begin[b]], bins.position[bins.begin[b]]};
      for (std::size_t p = bins.begin[b]; p < bins.begin[b + 1]; ++p)
        for (int a = 0; a < 3; ++a) {
          extent.low[a] = std::min(extent.low[a], bins.position[p][a]);
          extent.high[a] = std::max(extent.high[a], bins.position[p][a]);
        }
      bins.extent[b] = extent;
    }
  });
}

}  // namespace

std::string bin_problem(const std::vector<Vec3f>& points, double voxel) {
  const double furthest = voxel * kBlockEdge * kMaxBlock;
  for (const Vec3f& x : points)
    for (int a = 0; a < 3; ++a)
      if (!(std::abs(x[a]) < furthest))
        return std::isfinite(x[a]) ? "points lie too far out for voxels of this size"
                                   : "a position is not a number";
  return "";
}

PointBins bin_points(const std::vector<Vec3f>& points, double voxel) {
  const std::size_t n = points.size();
  PointBins bins;
  std::vector<Place> places(n);
  parallel_for("bin points", static_cast<std::int64_t>(n), 16384,
               [&](std::int64_t first, std::int64_t last) {
                 for (auto p = static_cast<std::size_t>(first); p < static_cast<std::size_t>(last);
                      ++p)
                   places[p] = place_of(points[p], voxel);
               });
  for (const Place& place : places) bins.grid.insert(place.block);
  bins.grid.sort();
  std::vector<std::uint32_t> home(n);
  bins.begin.assign(static_cast<std::size_t>(bins.grid.size()) + 1, 0);
  parallel_for("bin points", static_cast<std::int64_t>(n), 16384,
               [&](std::int64_t first, std::int64_t last) {
                 for (auto p = static_cast<std::size_t>(first); p < static_cast<std::size_t>(last);
                      ++p)
                   home[p] = static_cast<std::uint32_t>(bins.grid.find(places[p].block));
               });
  for (const std::uint32_t block : home) ++bins.begin[block + 1];
  for (std::size_t b = 1; b < bins.begin.size(); ++b) bins.begin[b] += bins.begin[b - 1];
  std::vector<std::uint32_t> next(bins.begin.begin(), bins.begin.end());
  bins.position.resize(n);
  bins.source.resize(n);
  for (std::size_t p = 0; p < n; ++p) {
    const std::uint32_t to = next[home[p]]++;
    bins.position[to] = places[p].position;
    bins.source[to] = static_cast<std::uint32_t>(p);
  }
  find_extents(bins);
  return bins;
}

BlockGrid blocks_in_reach(const PointBins& bins, double reach) {
  BlockGrid grid;
  for (int b = 0; b < bins.grid.size(); ++b) {
    const PointBins::Extent& extent = bins.extent[static_cast<std::size_t>(b)];
    int low[3], high[3];
    for (int a = 0; a < 3; ++a) {
      low[a] = static_cast<int>(std::floor((extent.low[a] - reach) / kBlockEdge));
      high[a] = static_cast<int>(std::floor((extent.high[a] + reach) / kBlockEdge));
    }
    const SampleBlockCoord home = bins.grid.coord(b);
    for (int i = low[0]; i <= high[0]; ++i)
      for (int j = low[1]; j <= high[1]; ++j)
        for (int k = low[2]; k <= high[2]; ++k) grid.insert(home + SampleBlockCoord{i, j, k});
  }
  if (grid.size() > 0) grid.sort();
  return grid;
}

}  // namespace firn
