// Rotations as a scene file states them: angles about the axes, or an axis and an angle.
#pragma once

#include "base/mat.h"

namespace firn {

struct RotationSettings {
  Vec3d angles{{0, 0, 0}};  // degrees about the fixed axes x, then y, then z
  bool about_axis = false;  // true: the two below hold
  Vec3d axis{{0, 1, 0}};
  double angle = 0;  // degrees

  Mat<double, 3> matrix() const;
  // Axis times angle, degrees; for interpolation.
  Vec3d axis_times_angle() const;
  bool operator==(const RotationSettings&) const = default;
};

}  // namespace firn
