// Points sorted into the blocks of a sample grid, so that a block can visit what lies near it.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "base/vec.h"
#include "surface/block_grid.h"

namespace firn {

struct PointBins {
  // Block-relative bounds of the points of one block, in voxels.
  struct Extent {
    Vec3f low, high;
  };

  BlockGrid grid;                     // blocks that hold points
  std::vector<std::uint32_t> begin;   // first point of each block, and the end
  std::vector<Extent> extent;         // of each block
  std::vector<Vec3f> position;        // in voxels from the first sample of the point's block
  std::vector<std::uint32_t> source;  // number of each point in the list that was binned
};

// Why points cannot be binned at this voxel size; "" when they can.
std::string bin_problem(const std::vector<Vec3f>& points, double voxel);

PointBins bin_points(const std::vector<Vec3f>& points, double voxel);

// Blocks with a sample within `reach` voxels (along each axis) of a point, sorted by key.
BlockGrid blocks_in_reach(const PointBins& bins, double reach);

// visit(point, position in voxels from the first sample of `block`) for all points within `reach`
// voxels of a box of `edge` samples a side that starts at the block's first sample. The order
// depends on the points alone.
template <class Visit>
void visit_near(const PointBins& bins, const SampleBlockCoord& block, int edge, double reach,
                Visit&& visit) {
  const float low = static_cast<float>(-reach), high = static_cast<float>(edge - 1 + reach);
  const int before = static_cast<int>(std::ceil(reach / kBlockEdge));
  const int after = static_cast<int>(std::floor((edge - 1 + reach) / kBlockEdge));
  SampleBlockCoord step;
  for (step.x = -before; step.x <= after; ++step.x)
    for (step.y = -before; step.y <= after; ++step.y)
      for (step.z = -before; step.z <= after; ++step.z) {
        const int home = bins.grid.find(block + step);
        if (home < 0) continue;
        const Vec3f offset = Vec<std::int32_t, 3>{{step.x, step.y, step.z}}.cast<float>() *
                             static_cast<float>(kBlockEdge);
        const PointBins::Extent& extent = bins.extent[static_cast<std::size_t>(home)];
        bool near = true;
        for (int a = 0; a < 3; ++a)
          near &= extent.high[a] + offset[a] >= low && extent.low[a] + offset[a] <= high;
        if (!near) continue;
        const std::size_t end = bins.begin[static_cast<std::size_t>(home) + 1];
        for (std::size_t p = bins.begin[static_cast<std::size_t>(home)]; p < end; ++p) {
          const Vec3f x = bins.position[p] + offset;
          if (x[0] >= low && x[0] <= high && x[1] >= low && x[1] <= high && x[2] >= low &&
              x[2] <= high)
            visit(p, x);
        }
      }
}

}  // namespace firn
