#include "scene/shape_settings.h"

namespace firn {
namespace {

// A rotation that turns y into the unit vector n: the smallest one, or half a turn about z.
Mat<double, 3> rotation_of_y(const Vec3d& n) {
  if (n[1] < -1 + 1e-12) return Mat<double, 3>::diagonal({{-1, -1, 1}});
  const double f = 1 / (1 + n[1]);
  return {{{1 - n[0] * n[0] * f, n[0], -n[0] * n[2] * f},
           {-n[0], n[1], -n[2]},
           {-n[0] * n[2] * f, n[2], 1 - n[2] * n[2] * f}}};
}

Shape empty_shape(int dimension) {
  Shape shape;
  shape.kind = ShapeKind::compound;  // without parts
  shape.size = Vec3d::zero();
  shape.dimension = dimension;
  return shape;
}

Shape primitive(const ShapeSettings& s, int dimension) {
  Shape shape;
  shape.dimension = dimension;
  const double half = 0.5 * s.height;
  switch (s.kind) {
    case ShapeType::ball:
      shape.kind = ShapeKind::ball;
      shape.size = Vec3d::fill(s.radius);
      break;
    case ShapeType::cylinder:
      shape.kind = ShapeKind::cylinder;
      shape.size = {{s.radius, half, s.radius}};
      break;
    case ShapeType::capsule:
      shape.kind = ShapeKind::capsule;
      shape.size = {{s.radius, max_of(0.0, half - s.radius), s.radius}};
      break;
    case ShapeType::cone:
      shape.kind = ShapeKind::cone;
      shape.size = {{s.radius, half, s.top_radius}};
      break;
    case ShapeType::torus:
      shape.kind = ShapeKind::torus;
      shape.size = {{s.radius, s.tube, 0}};
      break;
    case ShapeType::ellipsoid:
      shape.kind = ShapeKind::ellipsoid;
      shape.size = s.size * 0.5;
      break;
    default:
      shape.size = s.size * 0.5;
  }
  return shape;
}

Shape combined(const ShapeSettings& s, int dimension) {
  std::vector<Shape> parts;
  for (const PartSettings& part : s.parts) parts.push_back(placed(part, dimension));
  if (parts.empty()) return empty_shape(dimension);
  const SetOperation operation = s.kind == ShapeType::union_         ? SetOperation::unite
                                 : s.kind == ShapeType::intersection ? SetOperation::intersect
                                                                     : SetOperation::subtract;
  return make_compound(operation, std::move(parts), dimension);
}

Shape from_asset(const ShapeSettings& s, int dimension) {
  if (!s.asset || !s.asset->field) return empty_shape(dimension);
  const double thickness = s.revolve ? 0 : s.depth > 0 ? s.depth : s.width;
  return make_field_shape(s.asset->field, s.asset->scale, thickness, dimension);
}

}  // namespace

Shape placed(const ShapeSettings& s, int dimension) {
  if (s.kind == ShapeType::plane) {
    Shape plane;
    plane.kind = ShapeKind::plane;
    plane.dimension = dimension;
    plane.center = s.center;
    plane.rotation = rotation_of_y(s.normal / sqrt_of(dot(s.normal, s.normal)));
    return plane;
  }
  const bool made_of_parts = s.kind == ShapeType::union_ || s.kind == ShapeType::intersection ||
                             s.kind == ShapeType::difference;
  const bool from_file = s.kind == ShapeType::mesh || s.kind == ShapeType::bitmap ||
                         s.kind == ShapeType::heightfield || s.kind == ShapeType::points;
  const Shape shape = made_of_parts ? combined(s, dimension)
                      : from_file   ? from_asset(s, dimension)
                                    : primitive(s, dimension);
  return transformed(shape, s.rotation.matrix(), 1, s.center);
}

Shape placed(const ColliderShapeSettings& settings, int dimension) {
  Shape shape = placed(static_cast<const ShapeSettings&>(settings), dimension);
  shape.inside = settings.inside;
  return shape;
}

}  // namespace firn
