// Pictures of 2D scenes: discs over filled colliders, seen along z, no shadows.
#pragma once

#include "render/splatter.h"

namespace firn {

Image render_flat(const PointCloud& cloud, const RenderScene& scene, const Camera& camera,
                  const RenderOptions& options);

}  // namespace firn
