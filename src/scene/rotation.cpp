#include "scene/rotation.h"

#include "geometry/shape.h"

namespace firn {

Mat<double, 3> RotationSettings::matrix() const {
  return about_axis ? rotation_about(axis, angle) : rotation_from_degrees(angles);
}

Vec3d RotationSettings::axis_times_angle() const {
  return axis * (angle / sqrt_of(dot(axis, axis)));
}

}  // namespace firn
