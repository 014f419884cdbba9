// Thin lines for containers, which would hide what they hold if drawn as solids.
#pragma once

#include <vector>

#include "io/image.h"
#include "render/visibility.h"

namespace firn {

// Edges of boxes, rims of cylinders, the equator of balls, where nothing nearer hides them.
// `projection` and `buffer` belong to the supersampled picture.
void draw_outlines(const std::vector<Shape>& colliders, const Vec3d& origin,
                   const Projection& projection, const VisibilityBuffer& buffer, int supersampling,
                   Image& image);

}  // namespace firn
