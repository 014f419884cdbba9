// The slope of what the picture shows at a scale above single grains: shading by it lets a heap be
// read as a heap.
#pragma once

#include <vector>

#include "render/depth_image.h"

namespace firn {

// A unit normal for each pixel from depths up to `reach` metres around it; zero where there is
// nothing.
std::vector<Vec3f> relief_normals(const DepthImage& image, const Projection& projection,
                                  float reach);

}  // namespace firn
