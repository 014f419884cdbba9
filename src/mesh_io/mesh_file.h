// Meshes from files: OBJ, PLY, STL (text and binary), glTF and GLB.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "geometry/triangle_mesh.h"

namespace firn {

struct LoadedMesh {
  TriangleMesh mesh;                  // welded, without degenerate triangles, all parts as one
  std::vector<std::string> warnings;  // what was mended, one line each
};

// In the file's own units and axes.
Result<LoadedMesh> read_mesh(const std::filesystem::path& path);

// The reader on bytes in memory. The extension of `path` chooses the format; its folder is the only
// place that other files may be read from.
Result<LoadedMesh> parse_mesh(std::string_view bytes, const std::filesystem::path& path);

// The file as bytes; fails for extensions that are not read and for more than 2 GB.
Result<std::string> read_mesh_bytes(const std::filesystem::path& path);

}  // namespace firn
