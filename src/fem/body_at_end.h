// Obstacles as a step of meshed solids sees them: where they are at its end.
#pragma once

#include "collision/collider_set.h"

namespace firn {

template <int D>
Vec3d in_space(const double* x) {
  Vec3d r{{0, 0, 0}};
  for (int a = 0; a < D; ++a) r[a] = x[a];
  return r;
}

inline DistanceAndNormal distance_at_end(const Collider& c, const Vec3d& x) {
  if (!c.moves) return body_distance(c, x, c.share_next);
  const DistanceAndNormal d = body_distance(c, c.next.to_body(x), c.share_next);
  return {d.distance * c.next.scale, c.next.rotation * d.normal};
}

// The body's own coordinates of its point that is at x at the start or the end of the step, and
// where it is at the end.
inline Vec3d body_point_now(const Collider& c, const Vec3d& x) {
  return c.moves ? c.now.to_body(x) : x;
}
inline Vec3d body_point_at_end(const Collider& c, const Vec3d& x) {
  return c.moves ? c.next.to_body(x) : x;
}
inline Vec3d place_at_end(const Collider& c, const Vec3d& body_point) {
  return c.moves ? c.next.to_world(body_point) : body_point;
}

// Whether its distance has exact normals; the others are sampled and act by penalty.
inline bool is_analytic(const PlainShape& shape) {
  if (shape.kind == ShapeKind::field || shape.kind == ShapeKind::extruded ||
      shape.kind == ShapeKind::revolved)
    return false;
  for (int k = 0; k < shape.part_count; ++k)
    if (!is_analytic(shape.parts[k])) return false;
  return true;
}

// A force between a node and an obstacle, along the normal, N.
template <int D>
struct ObstacleForce {
  std::uint32_t node;
  int collider;  // in the set
  Vec<double, D> normal;
  double force;
};

}  // namespace firn
