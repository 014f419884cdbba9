// Where a moving body is: x = rotation (scale q) + translation for the point q of the body at rest.
#pragma once

#include "base/mat.h"

namespace firn {

struct Pose {
  Mat<double, 3> rotation = Mat<double, 3>::identity();
  Vec3d translation{{0, 0, 0}};
  double scale = 1;

  FIRN_INLINE Vec3d to_world(const Vec3d& q) const { return rotation * (q * scale) + translation; }
  FIRN_INLINE Vec3d to_body(const Vec3d& x) const {
    return transpose(rotation) * (x - translation) * (1 / scale);
  }

  // Whether a body can be there: nothing is infinite or no number, and it has a size.
  bool is_place() const {
    double sum = scale;  // of a finite number and zeros
    for (int i = 0; i < 3; ++i) {
      sum += 0 * translation[i];
      for (int j = 0; j < 3; ++j) sum += 0 * rotation(i, j);
    }
    return sum > 0 && sum < 1e300;
  }
};

}  // namespace firn
