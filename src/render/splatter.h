// The CPU renderer: particles as shaded spheres or triangles over a ground with soft shadows, or as
// discs in 2D.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/image.h"
#include "mesh_io/field_cache.h"
#include "mesh_io/painted_mesh.h"
#include "render/camera.h"
#include "render/outline.h"
#include "render/point_cloud.h"
#include "scene/look_settings.h"

namespace firn {

// How one collider looks, where it differs from the rest.
struct ColliderPaint {
  ColliderLook look;
  std::shared_ptr<const PaintedMesh> mesh;  // of its file, if that has looks
  MeshPlacement placement;                  // from the mesh to the coordinates of the shape's field
};

struct RenderScene {
  int dimension = 3;
  std::vector<Shape> colliders;                // solid, planes, and containers (outlined)
  std::vector<ColliderPaint> collider_paints;  // in the order of the colliders; missing: as usual
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
  bool shadows = true;
  double exposure = 1;
};

// The same bytes for any number of threads.
Image render_points(const PointCloud& cloud, const RenderScene& scene, const Camera& camera,
                    const RenderOptions& options);

}  // namespace firn
