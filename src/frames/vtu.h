// Frames for ParaView: unstructured grids of vertices (.vtu) with their data inline in base64, and
// the collection (.pvd) that gives each its time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "particles/point_table.h"

namespace firn {

// Columns that belong together become one array: vx, vy, vz the vector "velocity", red, green, blue
// the bytes "color", F_xx ... the tensor "F" and stress_xx ... the symmetric tensor "stress".
Result<std::filesystem::path> write_vtu(const std::filesystem::path& path, const PointTable& table);

struct TimedFile {
  double time;       // s
  std::string file;  // relative to the collection
};
Result<std::filesystem::path> write_pvd(const std::filesystem::path& path,
                                        const std::vector<TimedFile>& files);

}  // namespace firn
