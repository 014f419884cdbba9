#include "render/projection.h"

namespace firn {

namespace {

Vec3d unit_or(const Vec3d& v, const Vec3d& fallback) {
  const double length = std::sqrt(dot(v, v));
  return length > 0 ? v * (1 / length) : fallback;
}

}  // namespace

Projection make_projection(const Camera& camera, const Vec3d& origin, int width, int height) {
  const Vec3d forward = unit_or(camera.target - camera.eye, {{0, 0, -1}});
  // Looking along `up` leaves the sideways direction open; z then decides.
  Vec3d side = cross(forward, camera.up);
  if (dot(side, side) < 1e-12) side = cross(forward, {{0, 0, -1}});
  const Vec3d right = unit_or(side, {{1, 0, 0}});
  Projection p;
  p.eye = (camera.eye - origin).cast<float>();
  p.forward = forward.cast<float>();
  p.right = right.cast<float>();
  p.up = cross(right, forward).cast<float>();
  p.perspective = !(camera.ortho_height > 0);
  p.scale = static_cast<float>(p.perspective
                                   ? 0.5 * height / std::tan(0.5 * camera.field_of_view * kDegree)
                                   : height / camera.ortho_height);
  p.width = width;
  p.height = height;
  return p;
}

}  // namespace firn
