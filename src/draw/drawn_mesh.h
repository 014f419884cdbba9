// Surfaces around particles as meshes to draw.
#pragma once

#include <vector>

#include "draw/frame_data.h"

namespace firn {

// One closed surface for each material; the colours are those of the particles nearby.
DrawnMesh make_drawn_mesh(const std::vector<DrawnPoint>& points, const FrameOptions& options);

// Unit normals of the vertices, weighted by the area of the triangles around.
std::vector<Vec3f> vertex_normals(const SurfaceMesh& mesh);

}  // namespace firn
