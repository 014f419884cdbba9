// Light on what the visibility buffer shows.
#pragma once

#include <optional>
#include <vector>

#include "render/shadow.h"
#include "render/splatter.h"

namespace firn {

// Everything that a pixel's colour depends on; made once a picture.
struct ShadingInput {
  const PointCloud& cloud;
  const RenderScene& scene;
  const std::vector<Surface>& surfaces;
  const Projection& projection;  // of the supersampled picture
  const VisibilityBuffer& buffer;
  Bounds box;           // around the local origin
  Vec3f towards_light;  // unit
  int supersampling = 1;
  float exposure = 1;
  std::vector<Vec3f> relief;    // normals by picture pixel
  std::vector<float> openness;  // by picture pixel; empty: all open
  std::optional<ShadowMap> shadow_map;
  std::vector<std::optional<PlaneShadow>> plane_shadows;  // by surface
};

Image shade(const ShadingInput& input);

// The background of a pixel in linear light: the scene's colour, a little darker to the corners.
Vec3f background_at(const Vec3f& color, float x, float y, int width, int height);

}  // namespace firn
