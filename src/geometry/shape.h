// Placed primitive shapes as signed distances: negative inside, positive outside, metres. A closed
// list of plain data, so that the same function runs on host and device.
#pragma once

#include <vector>

#include "base/mat.h"
#include "base/math.h"

namespace firn {

enum class ShapeKind { box, ball, cylinder, plane };

// box: size = half extents. ball: size[0] = radius. cylinder: size[0] = radius, size[1] = half
// height along its own y axis. plane: solid below its own y = 0. In 2D z is ignored: a box is a
// rectangle, a ball a disc, a cylinder the rectangle 2 radius by height; the rotation must then be
// about z.
struct Shape {
  ShapeKind kind = ShapeKind::box;
  Vec3d size{{0.5, 0.5, 0.5}};
  Vec3d center{{0, 0, 0}};
  Mat<double, 3> rotation = Mat<double, 3>::identity();  // shape axes in columns
  bool inside = false;  // true: the complement (a container), distance negated
  int dimension = 3;
};

struct DistanceAndNormal {
  double distance;
  Vec3d normal;  // unit gradient of the distance; on edges and centres one of its limits
};

// Position in the shape's own axes, with its centre at the origin; and back.
FIRN_INLINE Vec3d to_shape_frame(const Shape& shape, const Vec3d& x) {
  Vec3d d = x - shape.center;
  if (shape.dimension == 2) d[2] = 0;
  return transpose(shape.rotation) * d;
}
FIRN_INLINE Vec3d from_shape_frame(const Shape& shape, const Vec3d& p) {
  Vec3d x = shape.rotation * p + shape.center;
  if (shape.dimension == 2) x[2] = 0;
  return x;
}

namespace detail {

// Distance to the box |p_i| <= half_i in the first n axes.
FIRN_INLINE DistanceAndNormal box_distance(const Vec3d& p, const Vec3d& half, int n) {
  DistanceAndNormal r{0, {{0, 0, 0}}};
  int deepest = 0;
  double excess[3] = {}, outside2 = 0;
  for (int i = 0; i < n; ++i) {
    excess[i] = abs_of(p[i]) - half[i];
    if (excess[i] > excess[deepest]) deepest = i;
    if (excess[i] > 0) outside2 += excess[i] * excess[i];
  }
  if (outside2 > 0) {
    r.distance = sqrt_of(outside2);
    for (int i = 0; i < n; ++i)
      if (excess[i] > 0) r.normal[i] = (p[i] < 0 ? -excess[i] : excess[i]) / r.distance;
    return r;
  }
  r.distance = excess[deepest];
  r.normal[deepest] = p[deepest] < 0 ? -1 : 1;
  return r;
}

FIRN_INLINE DistanceAndNormal ball_distance(const Vec3d& p, double radius) {
  const double length = sqrt_of(dot(p, p));
  if (length > 0) return {length - radius, p * (1 / length)};
  return {-radius, {{0, 1, 0}}};
}

// A cylinder is a rectangle in (distance from the axis, y).
FIRN_INLINE DistanceAndNormal cylinder_distance(const Vec3d& p, double radius, double half_height) {
  const double rho = sqrt_of(p[0] * p[0] + p[2] * p[2]);
  const DistanceAndNormal flat = box_distance({{rho, p[1], 0}}, {{radius, half_height, 0}}, 2);
  const double cx = rho > 0 ? p[0] / rho : 1, cz = rho > 0 ? p[2] / rho : 0;
  return {flat.distance, {{flat.normal[0] * cx, flat.normal[1], flat.normal[0] * cz}}};
}

// In the shape's own frame, without the complement.
FIRN_INLINE DistanceAndNormal local_distance(const Shape& shape, const Vec3d& p) {
  switch (shape.kind) {
    case ShapeKind::ball:
      return ball_distance(p, shape.size[0]);
    case ShapeKind::cylinder:
      if (shape.dimension == 3) return cylinder_distance(p, shape.size[0], shape.size[1]);
      return box_distance(p, shape.size, 2);
    case ShapeKind::plane:
      return {p[1], {{0, 1, 0}}};
    case ShapeKind::box:
      break;
  }
  return box_distance(p, shape.size, shape.dimension);
}

}  // namespace detail

// Exact Euclidean distance to the surface, so 1-Lipschitz everywhere.
FIRN_HD inline DistanceAndNormal signed_distance(const Shape& shape, const Vec3d& x) {
  DistanceAndNormal r = detail::local_distance(shape, to_shape_frame(shape, x));
  r.normal = shape.rotation * r.normal;
  return shape.inside ? DistanceAndNormal{-r.distance, -r.normal} : r;
}

struct Bounds {
  Vec3d low, high;
};

// False for planes and complements, which fill half of space or more.
FIRN_INLINE bool is_bounded(const Shape& shape) {
  return shape.kind != ShapeKind::plane && !shape.inside;
}

// Half extents in the shape's own frame (z = 0 in 2D). For bounded shapes.
Vec3d half_extents(const Shape& shape);

// The smallest box along the world axes around a bounded shape.
Bounds bounding_box(const Shape& shape);

// The walls of a container, each as a solid of its own: the union is what is solid outside.
// Something in a corner then touches two or three of them, where the distance to the whole knows
// one normal only. A shape that is no box or cylinder seen from inside is its own only wall.
std::vector<Shape> walls_of(const Shape& shape);

// Volume in m^3, in 2D area in m^2; infinite for unbounded shapes.
double volume(const Shape& shape);

// Rotation about the fixed world axes by angles in degrees: first about x, then y, then z, so that
// R = Rz Ry Rx. Multiples of 90 degrees give exact zeros and ones.
Mat<double, 3> rotation_from_degrees(const Vec3d& angles);

}  // namespace firn
