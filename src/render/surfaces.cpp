#include "render/surfaces.h"

#include <algorithm>
#include <cmath>

#include "exec/parallel.h"

namespace firn {

namespace {

constexpr std::int64_t kRowsAtOnce = 8;

// Depth at which the line of sight enters the shape, or kFar.
class SolidTracer {
 public:
  SolidTracer(const Shape& shape, const Projection& projection)
      : shape_(shape), projection_(projection), center_(shape.center) {
    const Vec3d half = half_extents(shape);
    radius_ = 1.001 * std::sqrt(dot(half, half));
    // Sampled distances may change a little faster than a metre a metre.
    stride_ = shape.kind < ShapeKind::field ? 1 : 0.7;
    tolerance_ = 1e-4 * std::max(1e-9, std::min({half[0], half[1], half[2]}));
  }

  // Rows and columns that the bounding ball can touch; everything when the eye is close to it.
  Spot outline() const {
    return projection_.project(center_.cast<float>(), static_cast<float>(radius_));
  }
  bool surrounds_eye() const {
    const Vec3d d = projection_.eye.cast<double>() - center_;
    return projection_.perspective && dot(d, d) < 1.1 * radius_ * radius_;
  }

  float depth(float x, float y, float limit) const {
    const Vec3d origin = projection_.ray_origin(x, y).cast<double>();
    const Vec3d along = projection_.ray_direction(x, y).cast<double>();
    const double length = std::sqrt(dot(along, along));
    const Vec3d direction = along * (1 / length);
    const Vec3d to_center = center_ - origin;
    const double middle = dot(to_center, direction);
    const double chord2 = radius_ * radius_ - dot(to_center, to_center) + middle * middle;
    if (chord2 <= 0) return kFar;
    const double chord = std::sqrt(chord2);
    double t = middle - chord;
    if (projection_.perspective) t = std::max(t, 0.0);
    const double end = std::min(middle + chord, static_cast<double>(limit) * length);
    for (int step = 0; step < 160 && t < end; ++step) {
      const double distance = signed_distance(shape_, origin + direction * t).distance;
      if (distance < tolerance_) return static_cast<float>(t / length);
      t += stride_ * distance;
    }
    return kFar;
  }

 private:
  const Shape& shape_;
  const Projection& projection_;
  Vec3d center_;
  double radius_, tolerance_, stride_;
};

}  // namespace

Plane plane_of(const Surface& surface) {
  const Shape& shape = surface.shape;
  Vec3d normal{{shape.rotation(0, 1), shape.rotation(1, 1), shape.rotation(2, 1)}};
  if (shape.inside) normal = -normal;
  return {normal.cast<float>(), static_cast<float>(dot(normal, shape.center))};
}

std::vector<Surface> make_surfaces(const std::vector<Shape>& colliders, const Vec3d& origin,
                                   const std::vector<Vec3f>& colors) {
  std::vector<Surface> surfaces;
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    Surface surface{colliders[i]};
    surface.shape.center -= origin;
    if (i < colors.size()) surface.color = colors[i];
    if (surface.is_plane() || surface.is_solid()) surfaces.push_back(surface);
  }
  return surfaces;
}

void draw_planes(const std::vector<Surface>& surfaces, const Projection& projection,
                 VisibilityBuffer& buffer) {
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    if (!surfaces[s].is_plane()) continue;
    const Plane plane = plane_of(surfaces[s]);
    const std::uint32_t id = kSurfaceBit | static_cast<std::uint32_t>(s);
    const auto rows = [&](std::int64_t begin, std::int64_t end) {
      for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y)
        for (int x = 0; x < buffer.width; ++x) {
          const float px = static_cast<float>(x) + 0.5f, py = static_cast<float>(y) + 0.5f;
          const float approach = dot(plane.normal, projection.ray_direction(px, py));
          if (approach >= -1e-6f) continue;
          const float above = dot(plane.normal, projection.ray_origin(px, py)) - plane.offset;
          const float depth = -above / approach;
          const std::size_t at = buffer.index(x, y);
          if (above <= 0 || depth >= buffer.depth[at]) continue;
          buffer.depth[at] = depth;
          buffer.id[at] = id;
        }
    };
    parallel_for("draw planes", buffer.height, kRowsAtOnce, rows);
  }
}

void draw_solids(const std::vector<Surface>& surfaces, const Projection& projection,
                 VisibilityBuffer& buffer) {
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    if (!surfaces[s].is_solid()) continue;
    const SolidTracer tracer(surfaces[s].shape, projection);
    int x0 = 0, y0 = 0, x1 = buffer.width, y1 = buffer.height;
    if (!tracer.surrounds_eye()) {
      const Spot spot = tracer.outline();
      if (projection.perspective && spot.depth <= 0) continue;
      // In perspective the outline of a ball off the axis is longer than its circle.
      const float reach = spot.radius * (projection.perspective ? 1.5f : 1.0f) + 2;
      const auto clipped = [](float v, int size) {
        return static_cast<int>(std::clamp(v, 0.0f, static_cast<float>(size)));
      };
      x0 = clipped(spot.x - reach, buffer.width), x1 = clipped(spot.x + reach, buffer.width);
      y0 = clipped(spot.y - reach, buffer.height), y1 = clipped(spot.y + reach, buffer.height);
    }
    const std::uint32_t id = kSurfaceBit | static_cast<std::uint32_t>(s);
    parallel_for("draw solids", y1 - y0, kRowsAtOnce, [&](std::int64_t begin, std::int64_t end) {
      for (int y = y0 + static_cast<int>(begin); y < y0 + static_cast<int>(end); ++y)
        for (int x = x0; x < x1; ++x) {
          const std::size_t at = buffer.index(x, y);
          const float depth = tracer.depth(static_cast<float>(x) + 0.5f,
                                           static_cast<float>(y) + 0.5f, buffer.depth[at]);
          if (depth >= buffer.depth[at]) continue;
          buffer.depth[at] = depth;
          buffer.id[at] = id;
        }
    });
  }
}

}  // namespace firn
