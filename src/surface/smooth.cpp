#include <algorithm>
#include <cmath>

#include "exec/parallel.h"
#include "surface/level_set.h"
#include "surface/patch.h"

namespace firn {
namespace {

using Neighbours = Patch<1, 1>;
constexpr int kWide = Neighbours::kEdge;

// (1 2 1) / 4 along each axis: x, then y, then z.
void blur(const Neighbours& patch, float* to) {
  float x[kBlockEdge][kWide][kWide], y[kBlockEdge][kBlockEdge][kWide];
  const auto mean = [](float a, float b, float c) { return 0.25f * (a + c) + 0.5f * b; };
  const float* from = patch.values;
  constexpr int kLayer = kWide * kWide;
  for (int i = 0; i < kBlockEdge; ++i)
    for (int n = 0; n < kLayer; ++n)
      x[i][n / kWide][n % kWide] =
          mean(from[i * kLayer + n], from[(i + 1) * kLayer + n], from[(i + 2) * kLayer + n]);
  for (int i = 0; i < kBlockEdge; ++i)
    for (int j = 0; j < kBlockEdge; ++j)
      for (int k = 0; k < kWide; ++k) y[i][j][k] = mean(x[i][j][k], x[i][j + 1][k], x[i][j + 2][k]);
  for (int i = 0; i < kBlockEdge; ++i)
    for (int j = 0; j < kBlockEdge; ++j)
      for (int k = 0; k < kBlockEdge; ++k)
        to[sample_index(i, j, k)] = mean(y[i][j][k], y[i][j][k + 1], y[i][j][k + 2]);
}

}  // namespace

void smooth_level_set(LevelSet& level_set, double most, int passes) {
  if (passes <= 0) return;
  const LevelSet given = level_set;
  LevelSet next = level_set;
  const auto limit = static_cast<float>(most);
  for (int pass = 0; pass < passes; ++pass) {
    parallel_for("smooth", level_set.grid.size(), 16, [&](std::int64_t first, std::int64_t last) {
      Neighbours patch;
      for (int b = static_cast<int>(first); b < static_cast<int>(last); ++b) {
        patch.fetch(level_set, b);
        const float* before = given.block(b);
        float* to = next.block(b);
        blur(patch, to);
        // What is far outside stays there: the surface keeps within the blocks that there are.
        for (int s = 0; s < kBlockSamples; ++s)
          to[s] = before[s] >= given.outside
                      ? given.outside
                      : std::clamp(to[s], before[s] - limit, before[s] + limit);
      }
    });
    std::swap(level_set.values, next.values);
  }
}

}  // namespace firn
