#include "geometry/shape.h"

#include <algorithm>
#include <limits>

namespace firn {
namespace {

struct CosSin {
  double c, s;
};

CosSin cos_sin_degrees(double angle) {
  const double turns = std::fmod(angle, 360.0);
  const double quarters = turns / 90.0;
  if (quarters == std::rint(quarters)) {
    constexpr double kCos[] = {1, 0, -1, 0}, kSin[] = {0, 1, 0, -1};
    const int q = (static_cast<int>(quarters) + 4) % 4;
    return {kCos[q], kSin[q]};
  }
  return {std::cos(turns * kDegree), std::sin(turns * kDegree)};
}

// The half-space beyond the face of a box that lies in direction `sign` of its own axis.
Shape wall_beyond(const Shape& box, int axis, double sign, double half_extent) {
  const auto own_axis = [&](int i) {
    return Vec3d{{box.rotation(0, i), box.rotation(1, i), box.rotation(2, i)}};
  };
  Shape wall;
  wall.kind = ShapeKind::plane;
  wall.dimension = box.dimension;
  wall.center = box.center + own_axis(axis) * (sign * half_extent);
  const Vec3d normal = own_axis(axis) * -sign, side = own_axis((axis + 1) % 3);
  const Vec3d other = cross(side, normal);
  for (int i = 0; i < 3; ++i) {
    wall.rotation(i, 0) = side[i];
    wall.rotation(i, 1) = normal[i];
    wall.rotation(i, 2) = other[i];
  }
  return wall;
}

}  // namespace

std::vector<Shape> walls_of(const Shape& shape) {
  const bool round = shape.kind == ShapeKind::cylinder && shape.dimension == 3;
  if (!shape.inside || (shape.kind != ShapeKind::box && shape.kind != ShapeKind::cylinder))
    return {shape};
  std::vector<Shape> walls;
  for (int axis = 0; axis < shape.dimension; ++axis)
    for (const double sign : {-1.0, 1.0})
      if (!round || axis == 1) walls.push_back(wall_beyond(shape, axis, sign, shape.size[axis]));
  if (round) {
    constexpr double kEndless = 1e9;  // m
    walls.push_back(shape);
    walls.back().size[1] = kEndless;
  }
  return walls;
}

Vec3d half_extents(const PlainShape& shape) {
  const bool solid = shape.dimension == 3;
  const Vec3d& s = shape.size;
  Vec3d half = s;
  switch (shape.kind) {
    case ShapeKind::ball:
      half = Vec3d::fill(s[0]);
      break;
    case ShapeKind::cylinder:
      half = {{s[0], s[1], s[0]}};
      break;
    case ShapeKind::capsule:
      half = {{s[0], s[1] + s[0], s[0]}};
      break;
    case ShapeKind::cone:
      half = {{std::max(s[0], s[2]), s[1], std::max(s[0], s[2])}};
      break;
    case ShapeKind::torus:
      half = {{s[0] + s[1], solid ? s[1] : s[0] + s[1], s[0] + s[1]}};
      break;
    case ShapeKind::plane:
      return Vec3d::fill(std::numeric_limits<double>::infinity());
    default:
      break;
  }
  if (!solid) half[2] = 0;
  return half;
}

Bounds bounding_box(const PlainShape& shape) {
  const Vec3d half = half_extents(shape);
  Vec3d reach = Vec3d::zero();
  for (int i = 0; i < 3; ++i) {
    const double* row = shape.rotation.e[i];
    if (shape.kind == ShapeKind::ball) {
      reach[i] = half[i];
    } else if (shape.kind == ShapeKind::cylinder && shape.dimension == 3) {
      // The rim circle about the axis a reaches radius sqrt(1 - a_i^2) along axis i.
      const double across = std::sqrt(row[0] * row[0] + row[2] * row[2]);
      reach[i] = shape.size[1] * std::fabs(row[1]) + shape.size[0] * across;
    } else {
      for (int j = 0; j < shape.dimension; ++j) reach[i] += std::fabs(row[j]) * half[j];
    }
  }
  Vec3d center = shape.center;
  if (shape.dimension == 2) center[2] = 0;
  return {center - reach, center + reach};
}

double bounding_radius(const PlainShape& shape) {
  const Vec3d& s = shape.size;
  switch (shape.kind) {
    case ShapeKind::ball:
      return s[0];
    case ShapeKind::cylinder:
      return std::hypot(s[0], s[1]);
    case ShapeKind::capsule:
    case ShapeKind::torus:
      return s[0] + s[1];
    case ShapeKind::ellipsoid:
      return std::max({s[0], s[1], shape.dimension == 3 ? s[2] : 0.0});
    default:
      break;
  }
  const Vec3d half = half_extents(shape);
  return std::sqrt(dot(half, half));
}

double volume(const PlainShape& shape) {
  if (!is_bounded(shape)) return std::numeric_limits<double>::infinity();
  const bool solid = shape.dimension == 3;
  const Vec3d& s = shape.size;
  switch (shape.kind) {
    case ShapeKind::ball:
      return solid ? 4.0 / 3.0 * kPi * s[0] * s[0] * s[0] : kPi * s[0] * s[0];
    case ShapeKind::cylinder:
      return solid ? 2 * kPi * s[0] * s[0] * s[1] : 4 * s[0] * s[1];
    case ShapeKind::capsule:
      return solid ? kPi * s[0] * s[0] * (2 * s[1] + 4.0 / 3.0 * s[0])
                   : s[0] * (4 * s[1] + kPi * s[0]);
    case ShapeKind::cone:
      return solid ? 2.0 / 3.0 * kPi * s[1] * (s[0] * s[0] + s[0] * s[2] + s[2] * s[2])
                   : 2 * s[1] * (s[0] + s[2]);
    case ShapeKind::torus:
      return solid ? 2 * kPi * kPi * s[0] * s[1] * s[1] : 4 * kPi * s[0] * s[1];
    case ShapeKind::ellipsoid:
      return solid ? 4.0 / 3.0 * kPi * s[0] * s[1] * s[2] : kPi * s[0] * s[1];
    case ShapeKind::box:
      return solid ? 8 * s[0] * s[1] * s[2] : 4 * s[0] * s[1];
    default:
      return shape.measure == kUnmeasured ? counted_volume(shape) : shape.measure;
  }
}

Mat<double, 3> rotation_from_degrees(const Vec3d& angles) {
  const auto [cx, sx] = cos_sin_degrees(angles[0]);
  const auto [cy, sy] = cos_sin_degrees(angles[1]);
  const auto [cz, sz] = cos_sin_degrees(angles[2]);
  const Mat<double, 3> rx{{{1, 0, 0}, {0, cx, -sx}, {0, sx, cx}}};
  const Mat<double, 3> ry{{{cy, 0, sy}, {0, 1, 0}, {-sy, 0, cy}}};
  const Mat<double, 3> rz{{{cz, -sz, 0}, {sz, cz, 0}, {0, 0, 1}}};
  return rz * ry * rx;
}

Mat<double, 3> rotation_about(const Vec3d& axis, double angle) {
  const Vec3d a = axis / sqrt_of(dot(axis, axis));
  const auto [c, s] = cos_sin_degrees(angle);
  const Mat<double, 3> across{{{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}}};
  return Mat<double, 3>::identity() * c + across * s + outer(a, a) * (1 - c);
}

}  // namespace firn
