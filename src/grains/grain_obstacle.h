// GRAIN 40 to 43 as printed: obstacles are neighbours like particles.
#pragma once

#include "collision/collider.h"
#include "grains/grain_rules.h"

namespace firn {

// Adds an obstacle at its distance, with the velocity that it has there. Returns 1 less the part of
// gravity's direction that points to it, 0 to 1: what is left of the share of free flight.
template <int D>
FIRN_HD inline float add_obstacle(FlowSums<float, D>& sums, const Collider& c, const Vec3d& x,
                                  double inverse2, float cells, const Vec<float, D>& gravity) {
  const DistanceAndNormal d = distance_to(c, x);
  const double distance = max_of(d.distance, 0.0);
  const auto w = static_cast<float>(grain_weight(distance * distance, inverse2));
  if (!(w > 0)) return 1;
  const Vec3d v = velocity_at(c, x, d.normal);
  sums.weight += w;
  sums.largest = max_of(sums.largest, w);
  float down = 0, size2 = 0;
  for (int a = 0; a < D; ++a) {
    sums.way[a] += w * float(v[a]) * cells;
    down -= gravity[a] * float(d.normal[a]);
    size2 += gravity[a] * gravity[a];
  }
  return size2 > 0 ? 1 - clamp(down / sqrt_of(size2), 0.0f, 1.0f) : 1;
}

}  // namespace firn
