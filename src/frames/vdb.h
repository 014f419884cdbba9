// Frames as volumes: OpenVDB files with the grids density, vel and surface (volume/vdb_file.h).
#pragma once

#include <filesystem>

#include "base/result.h"
#include "particles/point_table.h"

namespace firn {

// Needs the columns of velocity, mass and volume in 3D. The voxel size should be the distance of
// the particles and the same for every frame of a run.
Result<std::filesystem::path> write_vdb(const std::filesystem::path& path, const PointTable& table,
                                        double voxel);

}  // namespace firn
