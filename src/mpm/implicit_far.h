// Obstacles that nodes meet on long ways within an implicit step; host and device.
#pragma once

#include "collision/sweep.h"

namespace firn {

// Whether something that goes a way from x, a cell or farther from the body, runs into it; d, the
// body as seen from x, becomes that of the plane that touches it there.
FIRN_HD inline bool meets_on_way(const Collider& body, const Vec3d& x, const Vec3d& way,
                                 double spacing, DistanceAndNormal& d) {
  constexpr int kMostLooks = 100;
  const double length = sqrt_of(dot(way, way)), near = 0.1 * spacing;
  if (!(length > 0) || d.distance > length * steepness(body) + near) return false;
  double gone = 0;
  DistanceAndNormal here = d;
  for (int look = 0; look < kMostLooks && gone <= length; ++look) {
    const Vec3d at = x + way * (gone / length);
    if (look > 0) here = distance_to(body, at);
    if (here.distance <= near) {
      d = {here.distance + dot(x - at, here.normal), here.normal};
      return d.distance > 0;
    }
    gone += max_of(here.distance / steepness(body), near);
  }
  return false;
}

}  // namespace firn
