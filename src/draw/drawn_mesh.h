// Surfaces around particles as meshes to draw.
#pragma once

#include <vector>

#include "draw/frame_data.h"

namespace firn {

// One closed surface for each material; the colours are those of the particles nearby.
DrawnMesh make_drawn_mesh(const std::vector<DrawnPoint>& points, const FrameOptions& options);

}  // namespace firn
