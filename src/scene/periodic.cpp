#include "scene/periodic.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "scene/collider_place.h"

namespace firn {
namespace {

// Blocks are numbered with 21 bits an axis in 3D.
constexpr double kMostBlocks = 4e5;

double block_length(const SceneSettings& scene) {
  return block_edge(static_cast<int>(scene.dimension)) * scene.grid.spacing;
}

bool is_whole(double blocks) {
  return std::abs(blocks - std::round(blocks)) < 1e-6;
}

// "must be a whole number of blocks of 4 cells (0.08 m); the nearest are 1.92 m and 2 m".
std::string nearest(const SceneSettings& scene, const char* what, double blocks, double least) {
  const double unit = block_length(scene);
  const double low = std::max(least, std::floor(blocks)), high = low + 1;
  char text[160];
  std::snprintf(text, sizeof(text),
                "%s must be a whole number of blocks of %d cells (%.6g m); the nearest are %.6g m "
                "and %.6g m",
                what, block_edge(static_cast<int>(scene.dimension)), unit, low * unit, high * unit);
  return text;
}

}  // namespace

std::array<PeriodInBlocks, 3> periods_in_blocks(const SceneSettings& scene) {
  std::array<PeriodInBlocks, 3> periods;
  for (int a = 0; a < scene.dimension; ++a) {
    const auto& range = scene.grid.periodic.axes[a];
    if (!range) continue;
    const double unit = block_length(scene);
    periods[a].first = static_cast<int>(std::lround(range->low / unit));
    periods[a].count = static_cast<int>(std::lround((range->high - range->low) / unit));
  }
  return periods;
}

std::string period_problem(const SceneSettings& scene, int axis) {
  const auto& range = scene.grid.periodic.axes[axis];
  if (!range) return "";
  if (axis >= scene.dimension) return "a 2D scene has no z";
  const double first = range->low / block_length(scene);
  const double count = (range->high - range->low) / block_length(scene);
  if (!(std::abs(first) < kMostBlocks && count < kMostBlocks))
    return "is too long for this grid; raise /grid/spacing";
  if (!is_whole(count) || count < 0.5) return nearest(scene, "its length", count, 1);
  if (!is_whole(first)) return nearest(scene, "its low end", first, -kMostBlocks);
  return "";
}

double period_length(const SceneSettings& scene, int axis) {
  return periods_in_blocks(scene)[axis].count * block_length(scene);
}

std::string seam_warning(const SceneSettings& scene, const ColliderSettings& collider) {
  const Shape shape = collider_at(collider, static_cast<int>(scene.dimension), 0);
  if (!is_bounded(shape)) return "";
  const Bounds box = bounding_box(shape);
  for (int a = 0; a < scene.dimension; ++a) {
    const auto& range = scene.grid.periodic.axes[a];
    if (!range) continue;
    const bool at_low = box.low[a] < range->low && box.high[a] > range->low;
    const bool at_high = box.low[a] < range->high && box.high[a] > range->high;
    // Through and through is what an endless wall looks like.
    if (at_low != at_high)
      return std::string("lies across the end of the period in ") + "xyz"[a] +
             " and is not repeated at the other end; give it there as well";
  }
  return "";
}

}  // namespace firn
