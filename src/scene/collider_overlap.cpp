#include "scene/collider_overlap.h"

#include <algorithm>
#include <cmath>

#include "geometry/shape.h"
#include "scene/collider_place.h"

namespace firn {
namespace {

// Lattice points of the shape, some 12 an axis, at the centres of the lattice's cells.
std::vector<Vec3d> lattice_points(const Shape& shape) {
  constexpr int kPerAxis = 12;
  if (!is_bounded(shape)) return {};
  const Vec3d half = half_extents(shape);
  const int layers = shape.dimension == 3 ? kPerAxis : 1;
  const auto coordinate = [&](int i, int n, double extent) {
    return extent * ((2.0 * i + 1.0) / n - 1.0);
  };
  std::vector<Vec3d> points;
  for (int i = 0; i < kPerAxis; ++i)
    for (int j = 0; j < kPerAxis; ++j)
      for (int k = 0; k < layers; ++k) {
        const Vec3d local{{coordinate(i, kPerAxis, half[0]), coordinate(j, kPerAxis, half[1]),
                           coordinate(k, layers, half[2])}};
        const Vec3d x = from_shape_frame(shape, local);
        if (signed_distance(shape, x).distance <= 0) points.push_back(x);
      }
  return points;
}

}  // namespace

// Pins hold what they overlap: that is their purpose.
ColliderOverlap collider_overlap(const SceneSettings& scene, const std::vector<Shape>& shapes) {
  std::vector<Vec3d> points;
  for (const Shape& shape : shapes) {
    const std::vector<Vec3d> more = lattice_points(shape);
    points.insert(points.end(), more.begin(), more.end());
  }
  std::vector<bool> covered(points.size(), false);
  // A body that rests exactly on a surface is not in it.
  const double tolerance = 1e-6 * scene.grid.spacing;
  ColliderOverlap result;
  std::size_t most = 0;
  for (std::size_t c = 0; c < scene.colliders.size(); ++c) {
    if (scene.colliders[c].contact == ContactKind::pin) continue;
    const Shape solid = collider_at(scene.colliders[c], static_cast<int>(scene.dimension), 0);
    std::size_t count = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (signed_distance(solid, points[i]).distance >= -tolerance) continue;
      covered[i] = true;
      ++count;
    }
    if (count <= most) continue;
    most = count;
    result.collider = static_cast<int>(c);
  }
  const auto total = std::count(covered.begin(), covered.end(), true);
  if (!points.empty())
    result.share = static_cast<double>(total) / static_cast<double>(points.size());
  return result;
}

}  // namespace firn
