// The CPU renderer: particles as shaded spheres over a ground with soft shadows, or as discs in 2D.
#pragma once

#include <optional>
#include <vector>

#include "io/image.h"
#include "render/camera.h"
#include "render/outline.h"
#include "render/point_cloud.h"

namespace firn {

struct RenderScene {
  int dimension = 3;
  std::vector<Shape> colliders;  // solid, planes, and containers (outlined)
  // Of the colliders in their order, sRGB; those that are missing have the usual colour.
  std::vector<std::optional<Vec3d>> collider_colors;
  std::vector<RegionMark> marks;
  std::optional<double> ground_height;  // m; a floor where no plane collider makes one
  std::optional<Bounds> bounds;         // where things happen; from the points when not given
  Vec3d light{{0.4, 1.0, 0.5}};         // direction towards the light
  Vec3d background{{0.93, 0.94, 0.96}};
  bool ground_shadow = true;  // false: nothing darkens planes
};

struct RenderOptions {
  int width = 1280, height = 720;
  int supersampling = 2;  // samples along each side of a pixel
  bool ambient_occlusion = true;
};

// The same bytes for any number of threads.
Image render_points(const PointCloud& cloud, const RenderScene& scene, const Camera& camera,
                    const RenderOptions& options);

}  // namespace firn
