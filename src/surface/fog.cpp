#include "surface/fog.h"

#include <algorithm>

#include "exec/parallel.h"

namespace firn {
namespace {

constexpr double kReach = 1.5;  // voxels

struct Sample {
  float mass, x, y, z;  // and momentum
};

// The quadratic B-spline.
float weight(float distance) {
  const float d = std::abs(distance);
  if (d < 0.5f) return 0.75f - d * d;
  return d < 1.5f ? 0.5f * (1.5f - d) * (1.5f - d) : 0.0f;
}

void add_point(Sample* samples, const Vec3f& p, float mass, const Vec3f& velocity) {
  int low[3], high[3];
  for (int a = 0; a < 3; ++a) {
    const int nearest = static_cast<int>(std::floor(p[a] + 0.5f));
    low[a] = std::max(0, nearest - 1);
    high[a] = std::min(kBlockEdge - 1, nearest + 1);
  }
  for (int i = low[0]; i <= high[0]; ++i)
    for (int j = low[1]; j <= high[1]; ++j)
      for (int k = low[2]; k <= high[2]; ++k) {
        const float m = mass * weight(static_cast<float>(i) - p[0]) *
                        weight(static_cast<float>(j) - p[1]) * weight(static_cast<float>(k) - p[2]);
        Sample& sample = samples[sample_index(i, j, k)];
        sample.mass += m;
        sample.x += m * velocity[0];
        sample.y += m * velocity[1];
        sample.z += m * velocity[2];
      }
}

}  // namespace

Fog make_fog(const PointBins& bins, const std::vector<float>& mass,
             const std::vector<Vec3f>& velocity, double voxel) {
  Fog fog;
  fog.voxel = voxel;
  fog.grid = blocks_in_reach(bins, kReach);
  const std::size_t samples = static_cast<std::size_t>(fog.grid.size()) * kBlockSamples;
  fog.density.resize(samples);
  fog.velocity.resize(samples);
  const auto per_volume = static_cast<float>(1 / (voxel * voxel * voxel));
  parallel_for("fog", fog.grid.size(), 8, [&](std::int64_t first, std::int64_t last) {
    std::vector<Sample> sums(kBlockSamples);
    for (int b = static_cast<int>(first); b < static_cast<int>(last); ++b) {
      std::fill(sums.begin(), sums.end(), Sample{});
      visit_near(bins, fog.grid.coord(b), kBlockEdge, kReach, [&](std::size_t p, const Vec3f& x) {
        add_point(sums.data(), x, mass[bins.source[p]], velocity[bins.source[p]]);
      });
      const std::size_t begin = static_cast<std::size_t>(b) * kBlockSamples;
      for (std::size_t s = 0; s < kBlockSamples; ++s) {
        const Sample& sum = sums[s];
        fog.density[begin + s] = sum.mass * per_volume;
        fog.velocity[begin + s] =
            sum.mass > 0 ? Vec3f{{sum.x, sum.y, sum.z}} / sum.mass : Vec3f::zero();
      }
    }
  });
  return fog;
}

}  // namespace firn
