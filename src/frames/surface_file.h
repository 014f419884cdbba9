// Surfaces of particles as files.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "surface/surface_mesh.h"

namespace firn {

// Binary little-endian PLY: vertices x y z and, where they are known, velocities vx vy vz.
Result<std::filesystem::path> write_mesh_ply(const std::filesystem::path& path,
                                             const SurfaceMesh& mesh);
// Wavefront OBJ, which has no place for velocities.
Result<std::filesystem::path> write_mesh_obj(const std::filesystem::path& path,
                                             const SurfaceMesh& mesh);

}  // namespace firn
