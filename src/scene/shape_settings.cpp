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

}  // namespace

Shape placed(const ShapeSettings& settings, int dimension) {
  Shape shape;
  shape.kind = settings.kind;
  shape.center = settings.center;
  shape.rotation = rotation_from_degrees(settings.rotation);
  shape.dimension = dimension;
  if (settings.kind == ShapeKind::box)
    shape.size = settings.size * 0.5;
  else
    shape.size = {{settings.radius, 0.5 * settings.height, settings.radius}};
  return shape;
}

Shape placed(const ColliderShapeSettings& settings, int dimension) {
  Shape shape = placed(static_cast<const ShapeSettings&>(settings), dimension);
  shape.inside = settings.inside;
  if (settings.kind == ShapeKind::plane)
    shape.rotation =
        rotation_of_y(settings.normal / sqrt_of(dot(settings.normal, settings.normal)));
  return shape;
}

}  // namespace firn
