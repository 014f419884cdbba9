#include "surface/level_set.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "exec/parallel.h"

namespace firn {
namespace {

// Sums of the kernel's weights. Between particles too far apart to touch, the mean may pass right
// through a sample although nothing is there; weights tell: a sample of weight `kEmpty` or less is
// outside, from `kFull` on nothing changes. A lone particle has more than `kFull` on its surface.
constexpr float kEmpty = 0.4f, kFull = 0.8f;

// Sums over particles at the samples of a row of a block; moments of the distance from the
// particle.
struct Row {
  float weight[kBlockEdge], x[kBlockEdge], y[kBlockEdge], z[kBlockEdge];
};
using Sums = Row[kBlockEdge][kBlockEdge];

constexpr int kLanes = 4;  // samples that are summed at a time

struct Range {
  int low, high;
};
Range samples_within(float center, float reach) {
  return {std::max(0, static_cast<int>(std::ceil(center - reach))),
          std::min(kBlockEdge - 1, static_cast<int>(std::floor(center + reach)))};
}

void add_point(Sums& sums, const Vec3f& p, float reach) {
  const float scale = 1 / (reach * reach);
  const Range is = samples_within(p[0], reach), js = samples_within(p[1], reach),
              ks = samples_within(p[2], reach);
  const int first_k = ks.low / kLanes * kLanes;
  for (int i = is.low; i <= is.high; ++i)
    for (int j = js.low; j <= js.high; ++j) {
      const float dx = static_cast<float>(i) - p[0], dy = static_cast<float>(j) - p[1];
      const float rest = 1 - (dx * dx + dy * dy) * scale;
      if (rest <= 0) continue;
      Row& row = sums[i][j];
      for (int begin = first_k; begin <= ks.high; begin += kLanes)
        for (int lane = 0; lane < kLanes; ++lane) {
          const int k = begin + lane;
          const float dz = static_cast<float>(k) - p[2];
          const float q = rest - dz * dz * scale;
          const float positive = q > 0 ? q : 0;
          const float w = positive * positive * positive;
          row.weight[k] += w;
          row.x[k] += w * dx;
          row.y[k] += w * dy;
          row.z[k] += w * dz;
        }
    }
}

// In voxels.
float value_at(const Row& row, int k, float radius, float outside) {
  const float weight = row.weight[k];
  if (weight <= 0) return outside;
  const float moment = std::sqrt(row.x[k] * row.x[k] + row.y[k] * row.y[k] + row.z[k] * row.z[k]);
  const float fullness = std::clamp((weight - kEmpty) / (kFull - kEmpty), -1.0f, 1.0f);
  return std::min(outside, moment / weight - radius * fullness);
}

// Blocks that need no sums: with all octants of the block and of those around it well filled, all
// of its samples are inside.
class DeepBlocks {
 public:
  DeepBlocks(const PointBins& bins, double reach, double radius) : bins_(bins) {
    constexpr int kOctant = kBlockEdge / 2;
    // Beyond that, what lies outside of the blocks around would have to be looked at as well.
    if (reach > kBlockEdge) return;
    // A quarter of the particles that fit.
    const double room = 4.0 / 3 * std::numbers::pi * radius * radius * radius;
    const double least = std::max(1.0, 0.25 * kOctant * kOctant * kOctant / room);
    filled_.resize(static_cast<std::size_t>(bins.grid.size()));
    parallel_for("deep", bins.grid.size(), 64, [&](std::int64_t first, std::int64_t last) {
      for (auto b = static_cast<std::size_t>(first); b < static_cast<std::size_t>(last); ++b) {
        int count[8] = {};
        for (std::size_t p = bins.begin[b]; p < bins.begin[b + 1]; ++p) {
          const Vec3f& x = bins.position[p];
          ++count[(x[0] >= kOctant) | (x[1] >= kOctant) << 1 | (x[2] >= kOctant) << 2];
        }
        filled_[b] = std::all_of(count, count + 8, [&](int n) { return n >= least; });
      }
    });
  }
  bool contains(const SampleBlockCoord& block) const {
    if (filled_.empty()) return false;
    SampleBlockCoord step;
    for (step.x = -1; step.x <= 1; ++step.x)
      for (step.y = -1; step.y <= 1; ++step.y)
        for (step.z = -1; step.z <= 1; ++step.z) {
          const int home = bins_.grid.find(block + step);
          if (home < 0 || !filled_[static_cast<std::size_t>(home)]) return false;
        }
    return true;
  }

 private:
  const PointBins& bins_;
  std::vector<char> filled_;
};

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
  const DeepBlocks deep(bins, reach, radius / voxel);
  parallel_for("level set", level_set.grid.size(), 4, [&](std::int64_t first, std::int64_t last) {
    Sums sums;
    for (int b = static_cast<int>(first); b < static_cast<int>(last); ++b) {
      float* values = level_set.block(b);
      const SampleBlockCoord coord = level_set.grid.coord(b);
      if (deep.contains(coord)) {
        std::fill(values, values + kBlockSamples, static_cast<float>(-radius));
        continue;
      }
      std::memset(&sums, 0, sizeof(sums));
      visit_near(bins, coord, kBlockEdge, reach,
                 [&](std::size_t, const Vec3f& p) { add_point(sums, p, outside); });
      for (int s = 0; s < kBlockSamples; ++s) {
        const Row& row = sums[s / (kBlockEdge * kBlockEdge)][s / kBlockEdge % kBlockEdge];
        values[s] = value_at(row, s % kBlockEdge, particle, outside) * static_cast<float>(voxel);
      }
    }
  });
  return level_set;
}

}  // namespace firn
