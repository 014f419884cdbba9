// What a signed distance answers, and boxes along the axes.
#pragma once

#include "base/vec.h"

namespace firn {

struct DistanceAndNormal {
  double distance;  // m, negative inside
  Vec3d normal;     // unit gradient of the distance; on edges and centres one of its limits
};

struct Bounds {
  Vec3d low, high;
};

}  // namespace firn
