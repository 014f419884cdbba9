// Ambient occlusion from the depth picture: hollows get less light from the sky.
#pragma once

#include <vector>

#include "render/depth_image.h"

namespace firn {

// A value in [0, 1] (1: open) for each pixel. `radius`: how far, in metres, neighbours take light
// away.
std::vector<float> ambient_openness(const DepthImage& image, const Projection& projection,
                                    float radius);

}  // namespace firn
