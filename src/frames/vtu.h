// Frames for ParaView: unstructured grids (.vtu) with their data inline in base64, and the
// collection (.pvd) that gives each its time. Cells are the tetrahedra of meshes (the triangles of
// those that have none), then a vertex for each particle.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "particles/frame.h"

namespace firn {

// Columns that belong together become one array: vx, vy, vz the vector "velocity", red, green, blue
// the bytes "color", F_xx ... the tensor "F" and stress_xx ... the symmetric tensor "stress".
// Values of cells do the same; where a mesh lacks what another has they are 0. The cells' "mesh" is
// the number of theirs, -1 for particles.
Result<std::filesystem::path> write_vtu(const std::filesystem::path& path, const Frame& frame);

struct TimedFile {
  double time;       // s
  std::string file;  // relative to the collection
};
Result<std::filesystem::path> write_pvd(const std::filesystem::path& path,
                                        const std::vector<TimedFile>& files);

}  // namespace firn
