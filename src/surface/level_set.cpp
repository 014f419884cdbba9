#include "surface/level_set.h"

#include <algorithm>
#include <cmath>

#include "exec/parallel.h"

namespace firn {
namespace {

// Sums of the kernel's weights. Between particles too far apart to touch, the mean may pass right
// through a sample although nothing is there; weights tell: a sample of weight `kEmpty` or less is
// outside, from `kFull` on nothing changes. A lone particle has more than `kFull` on its surface.
constexpr float kEmpty = 0.4f, kFull = 0.8f;

// Sums over particles at each sample of a block; moments of the distance from the particle.
struct Sums {
  float weight[kBlockSamples], x[kBlockSamples], y[kBlockSamples], z[kBlockSamples];
};

void add_point(Sums& sums, const Vec3f& p, float reach) {
  const float scale = 1 / (reach * reach);
  const int low_i = std::max(0, static_cast<int>(std::ceil(p[0] - reach)));
  const int high_i = std::min(kBlockEdge - 1, static_cast<int>(std::floor(p[0] + reach)));
  const int low_j = std::max(0, static_cast<int>(std::ceil(p[1] - reach)));
  const int high_j = std::min(kBlockEdge - 1, static_cast<int>(std::floor(p[1] + reach)));
  for (int i = low_i; i <= high_i; ++i)
    for (int j = low_j; j <= high_j; ++j) {
      const float dx = static_cast<float>(i) - p[0], dy = static_cast<float>(j) - p[1];
      const float rest = 1 - (dx * dx + dy * dy) * scale;
      if (rest <= 0) continue;
      const int row = sample_index(i, j, 0);
      float* weight = sums.weight + row;
      float* x = sums.x + row;
      float* y = sums.y + row;
      float* z = sums.z + row;
      for (int k = 0; k < kBlockEdge; ++k) {
        const float dz = static_cast<float>(k) - p[2];
        const float q = rest - dz * dz * scale;
        const float positive = q > 0 ? q : 0;
        const float w = positive * positive * positive;
        weight[k] += w;
        x[k] += w * dx;
        y[k] += w * dy;
        z[k] += w * dz;
      }
    }
}

// In voxels.
float value_at(const Sums& sums, int s, float radius, float outside) {
  const float weight = sums.weight[s];
  if (weight <= 0) return outside;
  const float moment =
      std::sqrt(sums.x[s] * sums.x[s] + sums.y[s] * sums.y[s] + sums.z[s] * sums.z[s]);
  const float fullness = std::clamp((weight - kEmpty) / (kFull - kEmpty), -1.0f, 1.0f);
  return std::min(outside, moment / weight - radius * fullness);
}

}  // namespace

LevelSet make_level_set(const PointBins& bins, double voxel, double radius) {
  const double reach = kKernelRadii * radius / voxel;  // voxels
  const auto particle = static_cast<float>(radius / voxel), outside = static_cast<float>(reach);
  LevelSet level_set;
  level_set.voxel = voxel;
  // One sample beyond, so that every edge that crosses the surface starts in a block.
  level_set.grid = blocks_in_reach(bins, reach + 1);
  level_set.values.resize(static_cast<std::size_t>(level_set.grid.size()) * kBlockSamples);
  level_set.outside = static_cast<float>(reach * voxel);
  parallel_for("level set", level_set.grid.size(), 4, [&](std::int64_t first, std::int64_t last) {
    Sums sums;
    for (int b = static_cast<int>(first); b < static_cast<int>(last); ++b) {
      sums = {};
      visit_near(bins, level_set.grid.coord(b), kBlockEdge, reach,
                 [&](std::size_t, const Vec3f& p) { add_point(sums, p, outside); });
      float* values = level_set.block(b);
      for (int s = 0; s < kBlockSamples; ++s)
        values[s] = value_at(sums, s, particle, outside) * static_cast<float>(voxel);
    }
  });
  return level_set;
}

}  // namespace firn
