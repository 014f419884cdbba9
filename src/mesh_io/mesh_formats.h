// The readers of mesh_file.h, one file format each, on bytes in memory. They check what the format
// says; what makes a mesh usable is checked once for all of them. Our own, because Assimp 5.2
// crashes or hangs on damaged PLY and OBJ files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "geometry/triangle_mesh.h"

namespace firn {

constexpr std::size_t kMostTriangles = 100'000'000;

// `name` is what error lines call the file.
Result<TriangleMesh> parse_obj(std::string_view bytes, const std::string& name);
Result<TriangleMesh> parse_stl(std::string_view bytes, const std::string& name);
Result<TriangleMesh> parse_ply_mesh(std::string_view bytes, const std::string& name);
// Both forms, text and GLB. Buffers in other files must lie in `folder` or below.
Result<TriangleMesh> parse_gltf(std::string_view bytes, const std::string& name,
                                const std::filesystem::path& folder);

// Appends a polygon as triangles. The corners must be vertices of the mesh.
void add_polygon(TriangleMesh& mesh, const std::vector<std::uint32_t>& corners);

}  // namespace firn
