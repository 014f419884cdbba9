#include "render/splatter.h"

#include <algorithm>
#include <cmath>

#include "render/flat.h"
#include "render/occlusion.h"
#include "render/relief.h"
#include "render/shading.h"

namespace firn {

namespace {

// The scene's colliders and, where none of them is a floor, the ground.
std::vector<Shape> with_ground(const RenderScene& scene) {
  std::vector<Shape> shapes = scene.colliders;
  const bool has_plane = std::any_of(shapes.begin(), shapes.end(), [](const Shape& shape) {
    return shape.kind == ShapeKind::plane;
  });
  if (scene.ground_height && !has_plane) {
    Shape ground;
    ground.kind = ShapeKind::plane;
    ground.center = {{0, *scene.ground_height, 0}};
    shapes.push_back(ground);
  }
  return shapes;
}

// Of the colliders, in linear light; those beyond the end look as usual.
std::vector<Vec3f> colors_of(const RenderScene& scene) {
  std::vector<Vec3f> colors;
  for (const ColliderPaint& paint : scene.collider_paints)
    colors.push_back(paint.look.color ? linear_color(*paint.look.color) : kSolidColor);
  return colors;
}

Bounds local_bounds(const PointCloud& cloud, const RenderScene& scene) {
  if (scene.bounds) {
    // A single particle has no size of its own that light and shadow could go by.
    const Vec3d more = Vec3d::fill(diagonal_of(*scene.bounds) > 0 ? 0 : 1);
    return {scene.bounds->low - cloud.origin - more, scene.bounds->high - cloud.origin + more};
  }
  if (cloud.points.empty()) return {{{-1, -1, -1}}, {{1, 1, 1}}};
  Bounds box{cloud.points[0].position.cast<double>(), cloud.points[0].position.cast<double>()};
  for (const Point& point : cloud.points) {
    const Vec3d p = point.position.cast<double>(), r = Vec3d::fill(point.radius);
    box = united(box, {p - r, p + r});
  }
  return box;
}

Vec3f unit_light(const Vec3d& light) {
  const double length = std::sqrt(dot(light, light));
  return length > 0 ? (light * (1 / length)).cast<float>() : Vec3f{{0, 1, 0}};
}

}  // namespace

Image render_points(const PointCloud& cloud, const RenderScene& scene, const Camera& camera,
                    const RenderOptions& options) {
  if (scene.dimension == 2) return render_flat(cloud, scene, camera, options);
  const int n = std::max(options.supersampling, 1);
  const int width = options.width * n, height = options.height * n;
  const Projection projection = make_projection(camera, cloud.origin, width, height);
  const std::vector<Shape> shapes = with_ground(scene);
  const std::vector<Surface> surfaces = make_surfaces(shapes, cloud.origin, colors_of(scene));

  VisibilityBuffer buffer(width, height);
  splat_points(cloud.points, projection, buffer);
  draw_bodies(cloud.bodies, projection, buffer);
  draw_solids(surfaces, projection, buffer);
  draw_planes(surfaces, projection, buffer);

  ShadingInput input{cloud,
                     scene,
                     surfaces,
                     projection,
                     buffer,
                     local_bounds(cloud, scene),
                     unit_light(scene.light),
                     n,
                     static_cast<float>(options.exposure),
                     {},
                     {},
                     {},
                     {}};
  const DepthImage depth = shrink_depth(buffer, n);
  const auto size = static_cast<float>(diagonal_of(input.box));
  input.relief = relief_normals(depth, projection, 0.015f * size);
  if (options.ambient_occlusion) input.openness = ambient_openness(depth, projection, 0.05f * size);
  input.plane_shadows.resize(surfaces.size());
  if (options.shadows)
    input.shadow_map.emplace(cloud, surfaces, input.box, input.towards_light,
                             std::max(width, height));
  for (std::size_t s = 0; s < surfaces.size(); ++s)
    if (surfaces[s].is_plane() && scene.ground_shadow && options.shadows)
      input.plane_shadows[s].emplace(*input.shadow_map, plane_of(surfaces[s]), input.towards_light);
  Image image = shade(input);
  draw_outlines(shapes, cloud.origin, projection, buffer, n, image);
  draw_marks(scene.marks, cloud.origin, projection, buffer, n, image);
  return image;
}

}  // namespace firn
