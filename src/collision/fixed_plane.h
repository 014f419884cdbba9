// Half-spaces at rest: floors, and the walls of tanks. What other shapes need a search for has a
// closed form here, and a device gets by with few registers.
#pragma once

#include "collision/collider.h"

namespace firn {

// Lengths in grid spacings.
constexpr double kSurfaceGap = 1e-4;   // kept between a particle and what stopped it
constexpr double kShallowDepth = 0.5;  // what started less deep inside is brought out again

FIRN_INLINE bool is_fixed_plane(const Collider& c) {
  return c.shape.kind == ShapeKind::plane && stands_still(c) && !c.varies;
}

FIRN_INLINE DistanceAndNormal plane_distance(const Collider& plane, const Vec3d& x) {
  const double sign = plane.shape.inside ? -1 : 1;
  DistanceAndNormal d{0, {{0, 0, 0}}};
  for (int a = 0; a < 3; ++a) {
    d.normal[a] = sign * plane.shape.rotation(a, 1);
    d.distance += d.normal[a] * (x[a] - plane.shape.center[a]);
  }
  return d;
}

// Of a node.
template <class T, int D>
FIRN_INLINE Contact<T, D> plane_contact(const Collider& plane, const Vec3d& x, double spacing) {
  const DistanceAndNormal d = snapped(plane_distance(plane, x), spacing);
  return make_contact<T, D>(plane, d, along_surface(plane.surface_velocity, d.normal));
}

// As keep_out() of collision/sweep.h: a particle that comes nearer than the gap ends twice as far
// away from the surface.
FIRN_INLINE bool keep_out_of_plane(const Collider& plane, const Vec3d& from, Vec3d& to,
                                   double spacing) {
  if (plane.contact == ContactKind::pin) return false;
  const double gap = kSurfaceGap * spacing;
  const DistanceAndNormal end = plane_distance(plane, to);
  const double raise = 2 * gap - end.distance;
  if (!(raise > 1e-3 * gap)) return false;
  const double start = plane_distance(plane, from).distance;
  if (start < -kShallowDepth * spacing || (start >= gap && end.distance >= gap)) return false;
  to += end.normal * raise;
  return true;
}

}  // namespace firn
