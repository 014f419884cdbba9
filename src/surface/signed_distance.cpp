#include <algorithm>
#include <array>
#include <cmath>

#include "exec/parallel.h"
#include "surface/level_set.h"
#include "surface/patch.h"

namespace firn {
namespace {

constexpr int kSteps[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

using Neighbours = Patch<1, 1>;

float neighbour(const Neighbours& patch, int i, int j, int k, int axis, int sign) {
  return patch(i + sign * kSteps[axis][0], j + sign * kSteps[axis][1], k + sign * kSteps[axis][2]);
}

// The distance of a sample from the plane through the crossings of its edges; in voxels, unsigned.
// `far` where no edge crosses.
float crossing_distance(const Neighbours& patch, int i, int j, int k, float far) {
  const float here = patch(i, j, k);
  float inverse = 0;
  for (int axis = 0; axis < 3; ++axis) {
    float nearest = INFINITY;
    for (const int sign : {-1, 1}) {
      const float other = neighbour(patch, i, j, k, axis, sign);
      if ((other < 0) != (here < 0)) nearest = std::min(nearest, here / (here - other));
    }
    if (nearest < INFINITY) inverse += 1 / std::max(nearest * nearest, 1e-8f);
  }
  return inverse > 0 ? 1 / std::sqrt(inverse) : far;
}

// The solution of |grad d| = 1 at a sample, from the smaller neighbour of each axis (Godunov).
float eikonal(std::array<float, 3> nearest) {
  std::sort(nearest.begin(), nearest.end());
  const auto [a, b, c] = nearest;
  float d = a + 1;
  if (d > b) d = 0.5f * (a + b + std::sqrt(std::max(0.0f, 2 - (a - b) * (a - b))));
  if (d > c) {
    const float sum = a + b + c;
    d = (sum + std::sqrt(std::max(0.0f, sum * sum - 3 * (a * a + b * b + c * c - 1)))) / 3;
  }
  return d;
}

template <class Body>
void for_samples(Body&& body) {
  for (int i = 0; i < kBlockEdge; ++i)
    for (int j = 0; j < kBlockEdge; ++j)
      for (int k = 0; k < kBlockEdge; ++k) body(i, j, k);
}

// from -> to for every block, with what its neighbours hold.
template <class Body>
void for_blocks(const LevelSet& from, Body&& body) {
  parallel_for("signed distance", from.grid.size(), 16, [&](std::int64_t first, std::int64_t last) {
    Neighbours patch;
    for (int b = static_cast<int>(first); b < static_cast<int>(last); ++b) {
      patch.fetch(from, b);
      body(b, patch);
    }
  });
}

}  // namespace

// Unsigned distances in voxels spread from the crossings, a layer of samples with every sweep; each
// sweep reads the one before, so that the order of blocks does not matter.
void make_signed_distance(LevelSet& level_set, int band) {
  const auto far = static_cast<float>(band);
  LevelSet distance = level_set;
  distance.outside = far;
  for_blocks(level_set, [&](int b, const Neighbours& patch) {
    float* to = distance.block(b);
    const auto inside = std::count_if(std::begin(patch.values), std::end(patch.values),
                                      [](float value) { return value < 0; });
    if (inside == 0 || inside == std::ssize(patch.values)) {
      std::fill(to, to + kBlockSamples, far);
      return;
    }
    for_samples([&](int i, int j, int k) {
      to[sample_index(i, j, k)] = std::min(far, crossing_distance(patch, i, j, k, far));
    });
  });
  std::vector<char> fixed(distance.values.size());
  for (std::size_t s = 0; s < fixed.size(); ++s) fixed[s] = distance.values[s] < far;
  LevelSet next = distance;
  for (int sweep = 0; sweep < 2 * band; ++sweep) {
    for_blocks(distance, [&](int b, const Neighbours& patch) {
      if (std::all_of(std::begin(patch.values), std::end(patch.values),
                      [far](float d) { return d >= far; }))
        return;
      float* to = next.block(b);
      const char* keep = fixed.data() + static_cast<std::size_t>(b) * kBlockSamples;
      for_samples([&](int i, int j, int k) {
        const int s = sample_index(i, j, k);
        if (keep[s]) return;
        std::array<float, 3> nearest;
        for (int axis = 0; axis < 3; ++axis)
          nearest[static_cast<std::size_t>(axis)] =
              std::min(neighbour(patch, i, j, k, axis, -1), neighbour(patch, i, j, k, axis, 1));
        to[s] = std::min(far, eikonal(nearest));
      });
    });
    std::swap(distance.values, next.values);
  }
  const auto voxel = static_cast<float>(level_set.voxel);
  for (std::size_t s = 0; s < fixed.size(); ++s)
    level_set.values[s] = (level_set.values[s] < 0 ? -voxel : voxel) * distance.values[s];
  level_set.outside = far * voxel;
}

}  // namespace firn
