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

// The smallest box around both.
inline Bounds united(const Bounds& a, const Bounds& b) {
  Bounds r = a;
  for (int i = 0; i < 3; ++i) {
    r.low[i] = min_of(a.low[i], b.low[i]);
    r.high[i] = max_of(a.high[i], b.high[i]);
  }
  return r;
}

}  // namespace firn
