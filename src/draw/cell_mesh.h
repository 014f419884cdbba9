// The meshes of a frame as triangles to draw.
#pragma once

#include <functional>

#include "draw/frame_data.h"
#include "particles/frame.h"

namespace firn {

// What is known of a point of the frame.
struct DrawnCorner {
  Vec3f position;  // m from the local origin
  Rgb8 color;
  std::uint8_t group;
};

// Smooth within each mesh, but for edges. Triangles with corners at places that are no numbers are
// left out. A triangle has the group of its first corner.
DrawnMesh make_cell_mesh(const Frame& frame,
                         const std::function<DrawnCorner(std::uint32_t)>& corner);

}  // namespace firn
