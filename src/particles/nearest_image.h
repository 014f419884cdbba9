// Distances across the seams of periodic axes; host and device.
#pragma once

#include "particles/blocks.h"

namespace firn {

// A distance in m, at most a period and a half long, as it is to the nearest of the images.
template <int D>
FIRN_INLINE Vec3d nearest_image(const BlockPeriod* periods, double spacing, Vec3d distance) {
  for (int a = 0; a < D; ++a) {
    const double length = double(periods[a].count) * BlockShape<D>::kEdge * spacing;
    if (distance[a] > 0.5 * length && length > 0) distance[a] -= length;
    if (distance[a] < -0.5 * length && length > 0) distance[a] += length;
  }
  return distance;
}

}  // namespace firn
