// What decides about particles that come and go, one at a time; host and device.
#pragma once

#include <cmath>

#include "geometry/shape.h"
#include "particles/nearest_image.h"

namespace firn {

// After this time an emitter is to be looked at.
struct EmitterWait {
  double since = 0, length = 0;  // s

  FIRN_HD bool is_over(double time) const { return time - since >= length; }
};

// Whether particles of a block, which may have drifted out of it by so many cells, can be inside of
// a shape. `origin`: of the places that the block's particles have, cells.
template <int D, class Shape>
FIRN_HD bool may_sink(const Shape& sink, const Vec3d& origin, double spacing, double drift) {
  constexpr double kHalf = 0.5 * BlockShape<D>::kEdge;
  Vec3d center{{0, 0, 0}};
  for (int a = 0; a < D; ++a) center[a] = (origin[a] + kHalf) * spacing;
  const double reach = (kHalf + drift) * std::sqrt(double(D)) * spacing;
  return !(signed_distance(sink, center).distance > 1.0001 * reach);
}
template <class Shape>
FIRN_HD bool is_sunk(const Shape& sink, const Vec3d& x) {
  return signed_distance(sink, x).distance < 0;
}

// Whether a particle counts as around a point where an emitter asks for room.
template <int D>
FIRN_HD bool is_around(const BlockPeriod* periods, double spacing, const Vec3d& x,
                       const Vec3d& point, double radius) {
  const Vec3d d = nearest_image<D>(periods, spacing, x - point);
  return dot(d, d) < radius * radius;
}

}  // namespace firn
