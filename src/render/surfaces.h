// Colliders in the picture: planes by intersection, solid shapes by tracing their signed distance.
// Containers (inside = true) are only outlined, see outline.h.
#pragma once

#include <vector>

#include "geometry/shape.h"
#include "render/visibility.h"

namespace firn {

// Of solids, in linear light, where nothing else is said.
inline constexpr Vec3f kSolidColor{{0.60f, 0.61f, 0.63f}};

struct Surface {
  Shape shape;  // placed relative to the local origin
  Vec3f color = kSolidColor;
  bool is_plane() const { return shape.kind == ShapeKind::plane; }
  bool is_solid() const { return is_bounded(shape); }
};

struct Plane {
  Vec3f normal;  // out of the solid
  float offset;  // dot(normal, x) on the plane
};
Plane plane_of(const Surface& surface);

// Colliders around a local origin, with their colours as far as those go; containers other than
// planes are left out.
std::vector<Surface> make_surfaces(const std::vector<Shape>& colliders, const Vec3d& origin,
                                   const std::vector<Vec3f>& colors = {});

// Planes are seen from their free side only, so that a wall does not hide what it holds.
void draw_planes(const std::vector<Surface>& surfaces, const Projection& projection,
                 VisibilityBuffer& buffer);
void draw_solids(const std::vector<Surface>& surfaces, const Projection& projection,
                 VisibilityBuffer& buffer);

}  // namespace firn
