// Placed shapes as signed distances: negative inside, positive outside, metres. A closed list of
// plain data, so that the same function runs on host and device.
#pragma once

#include <memory>
#include <vector>

#include "base/mat.h"
#include "geometry/distance_field.h"
#include "geometry/primitives.h"

namespace firn {

enum class ShapeKind {
  box,
  ball,
  cylinder,
  capsule,
  cone,
  torus,
  ellipsoid,
  plane,
  field,     // a sampled distance: a mesh, or in 2D the outline of a picture
  extruded,  // a flat sampled distance, as thick along z as its size says
  revolved,  // a flat sampled distance turned about the y axis
  compound,  // other shapes, combined
};
enum class SetOperation { unite, intersect, subtract, blend };

// How fast distances may change, m/m: those of primitives by one but for round-off, as do the least
// and the largest of several; sampled ones are interpolated and may be steeper.
constexpr double kSteepnessOfExact = 1.0001, kSteepnessOfSamples = 1.75;

// Volume of a shape that nobody has counted yet.
constexpr double kUnmeasured = -1;

// What a device sees of a shape. Sizes, in the shape's own frame:
//   box, ellipsoid: half extents. ball: radius. cylinder: radius, half height along its own y axis.
//   capsule: radius, half length between the caps. cone: radius at the bottom, half height, radius
//   at the top. torus: radius of the circle, radius of the tube. plane: solid below its own y = 0.
//   all others: half extents of what they fill, infinite where it has no end.
// In 2D z is ignored: a box is a rectangle, a ball a disc, a cylinder the rectangle 2 radius by
// height, a torus a ring; the rotation must then be about z.
struct PlainShape {
  ShapeKind kind = ShapeKind::box;
  Vec3d size{{0.5, 0.5, 0.5}};
  Vec3d center{{0, 0, 0}};
  Mat<double, 3> rotation = Mat<double, 3>::identity();  // shape axes in columns
  bool inside = false;  // true: the complement (a container), distance negated
  int dimension = 3;
  double measure = 0;  // volume of fields and compounds, m^3 (2D: m^2)

  DistanceFieldView field{};          // kinds field, extruded, revolved
  Vec3d field_origin{{0, 0, 0}};      // where the shape's centre is in the field's coordinates
  double scale = 1;                   // metres per unit of the field
  const PlainShape* parts = nullptr;  // compound: in its own frame
  int part_count = 0;
  SetOperation operation = SetOperation::unite;  // subtract: all others from the first
  double share = 0;                              // blend: of the second in the distance
  double reach = 1e300;  // of primitives that are parts: ball around the centre that holds it, m
  double steepness = kSteepnessOfExact;  // distances change no faster than this, m/m
};

// A shape on the host, which also keeps alive what it points to.
struct Shape : PlainShape {
  std::shared_ptr<const void> keeps;
};

// Position in the shape's own axes, with its centre at the origin; and back.
FIRN_INLINE Vec3d to_shape_frame(const PlainShape& shape, const Vec3d& x) {
  Vec3d d = x - shape.center;
  if (shape.dimension == 2) d[2] = 0;
  return transpose(shape.rotation) * d;
}
FIRN_INLINE Vec3d from_shape_frame(const PlainShape& shape, const Vec3d& p) {
  Vec3d x = shape.rotation * p + shape.center;
  if (shape.dimension == 2) x[2] = 0;
  return x;
}

FIRN_HD_CALL DistanceAndNormal signed_distance(const PlainShape& shape, const Vec3d& x);

namespace detail {

FIRN_HD_CALL DistanceAndNormal sampled_distance(const PlainShape& shape, const Vec3d& p) {
  DistanceAndNormal r = field_distance(shape.field, p / shape.scale + shape.field_origin);
  r.distance *= shape.scale;
  return r;
}

// A flat shape between two planes, as if it were a box of two axes.
FIRN_HD_CALL DistanceAndNormal extruded_distance(const PlainShape& shape, const Vec3d& p) {
  const DistanceAndNormal flat = sampled_distance(shape, {{p[0], p[1], 0}});
  const double across = abs_of(p[2]) - shape.size[2];
  const Vec3d up{{0, 0, p[2] < 0 ? -1.0 : 1.0}};
  if (flat.distance > 0 && across > 0) {
    const double distance = sqrt_of(square(flat.distance) + square(across));
    return {distance, (flat.normal * flat.distance + up * across) / distance};
  }
  return flat.distance > across ? flat : DistanceAndNormal{across, up};
}

FIRN_HD_CALL DistanceAndNormal revolved_distance(const PlainShape& shape, const Vec3d& p) {
  const AxialPoint a(p, 3);
  const DistanceAndNormal flat = sampled_distance(shape, {{a.rho, a.y, 0}});
  return a.turn_back(flat.distance, flat.normal[0], flat.normal[1]);
}

FIRN_HD inline DistanceAndNormal blended(const DistanceAndNormal& a, const DistanceAndNormal& b,
                                         double share) {
  const Vec3d normal = a.normal * (1 - share) + b.normal * share;
  const double length = sqrt_of(dot(normal, normal));
  return {(1 - share) * a.distance + share * b.distance,
          length > 1e-9 ? normal / length : a.normal};
}

// Whether a further part is too far away to change the distance so far.
FIRN_HD inline bool cannot_count(const PlainShape& part, const Vec3d& p, SetOperation operation,
                                 double distance) {
  if (part.reach > 1e200 || operation == SetOperation::intersect) return false;
  const Vec3d d = p - part.center;
  const double away = sqrt_of(dot(d, d)) - part.reach;  // no less than this
  return operation == SetOperation::unite ? away >= distance : -away < distance;
}

// The sign is exact; the distance is a lower bound outside.
FIRN_HD_CALL DistanceAndNormal compound_distance(const PlainShape& shape, const Vec3d& p) {
  if (shape.part_count == 0) return {1e30, {{0, 1, 0}}};
  DistanceAndNormal result = signed_distance(shape.parts[0], p);
  if (shape.operation == SetOperation::blend)
    return blended(result, signed_distance(shape.parts[1], p), shape.share);
  for (int i = 1; i < shape.part_count; ++i) {
    if (cannot_count(shape.parts[i], p, shape.operation, result.distance)) continue;
    DistanceAndNormal other = signed_distance(shape.parts[i], p);
    if (shape.operation == SetOperation::subtract) other = {-other.distance, -other.normal};
    const bool nearer = other.distance < result.distance;
    if (nearer == (shape.operation == SetOperation::unite)) result = other;
  }
  return result;
}

// In the shape's own frame, without the complement.
FIRN_INLINE DistanceAndNormal local_distance(const PlainShape& shape, const Vec3d& p) {
  switch (shape.kind) {
    case ShapeKind::ball:
      return ball_distance(p, shape.size[0]);
    case ShapeKind::cylinder:
      return cylinder_distance(p, shape.size[0], shape.size[1], shape.dimension);
    case ShapeKind::capsule:
      return capsule_distance(p, shape.size[0], shape.size[1]);
    case ShapeKind::cone:
      return cone_distance(p, shape.size[0], shape.size[2], shape.size[1], shape.dimension);
    case ShapeKind::torus:
      return torus_distance(p, shape.size[0], shape.size[1], shape.dimension);
    case ShapeKind::ellipsoid:
      return ellipsoid_distance(p, shape.size, shape.dimension);
    case ShapeKind::plane:
      return {p[1], {{0, 1, 0}}};
    case ShapeKind::field:
      return sampled_distance(shape, p);
    case ShapeKind::extruded:
      return extruded_distance(shape, p);
    case ShapeKind::revolved:
      return revolved_distance(shape, p);
    case ShapeKind::compound:
      return compound_distance(shape, p);
    case ShapeKind::box:
      break;
  }
  return box_distance(p, shape.size, shape.dimension);
}

}  // namespace detail

// Exact Euclidean distance to the surface of primitives, so 1-Lipschitz everywhere; sampled ones
// are as exact as their samples, compounds are bounds.
FIRN_HD_CALL DistanceAndNormal signed_distance(const PlainShape& shape, const Vec3d& x) {
  DistanceAndNormal r = detail::local_distance(shape, to_shape_frame(shape, x));
  r.normal = shape.rotation * r.normal;
  return shape.inside ? DistanceAndNormal{-r.distance, -r.normal} : r;
}

// Signed distance in the shape's own frame. Where two parts of a union merely touch there is no
// surface, so it is at most -least there.
double depth_within(const PlainShape& shape, const Vec3d& p, double least);

// How many levels of shapes a shape is made of; none where it has no parts.
int levels(const PlainShape& shape);

// False for planes, complements and endless compounds, which fill half of space or more.
FIRN_INLINE bool is_bounded(const PlainShape& shape) {
  if (shape.kind == ShapeKind::plane || shape.inside) return false;
  return shape.kind != ShapeKind::compound || shape.size[0] < 1e300;
}

// Half extents in the shape's own frame (z = 0 in 2D). For bounded shapes.
Vec3d half_extents(const PlainShape& shape);

// The smallest box along the world axes around a bounded shape; of sampled and compound shapes one
// that is large enough.
Bounds bounding_box(const PlainShape& shape);

// Of a ball about the centre of a bounded shape that holds all of it.
double bounding_radius(const PlainShape& shape);

// The walls of a container, each as a solid of its own: the union is what is solid outside.
// Something in a corner then touches two or three of them, where the distance to the whole knows
// one normal only. A shape that is no box or cylinder seen from inside is its own only wall.
std::vector<Shape> walls_of(const Shape& shape);

// Volume in m^3, in 2D area in m^2; infinite for unbounded shapes. That of compounds is counted
// anew each time unless they are measured.
double volume(const PlainShape& shape);
double counted_volume(const PlainShape& shape);
Shape measured(Shape shape);

// The parts (placed in the world) as one shape; it may be empty or endless.
Shape make_compound(SetOperation operation, std::vector<Shape> parts, int dimension);

// Part of the way from one shape to another: their distances are interpolated.
Shape make_blend(const Shape& from, const Shape& to, double share);

// A sampled distance in its own coordinates, `scale` metres a unit. In 3D a flat field is extruded
// to the thickness given, or turned about its own y axis where that is 0.
Shape make_field_shape(std::shared_ptr<const DistanceField> field, double scale, double thickness,
                       int dimension);

// The shape moved by x -> rotation x * scale + translation.
Shape transformed(const Shape& shape, const Mat<double, 3>& rotation, double scale,
                  const Vec3d& translation);

// Rotation about the fixed world axes by angles in degrees: first about x, then y, then z, so that
// R = Rz Ry Rx. Multiples of 90 degrees give exact zeros and ones.
Mat<double, 3> rotation_from_degrees(const Vec3d& angles);
// Rotation about an axis (of any length above 0) by an angle in degrees.
Mat<double, 3> rotation_about(const Vec3d& axis, double angle);

}  // namespace firn
