// Ambient occlusion from the depth picture: hollows get less light from the sky.
#pragma once

#include <vector>

#include "render/visibility.h"

namespace firn {

// One value in [0, 1] (1: open) for each block of step x step pixels. `radius`: how far, in metres,
// neighbours take light away.
std::vector<float> ambient_openness(const VisibilityBuffer& buffer, const Projection& projection,
                                    int step, float radius);

}  // namespace firn
