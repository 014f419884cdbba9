// Meshes with the looks that their files give them: glTF materials with base colours, colours of
// vertices and pictures.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/image.h"
#include "base/result.h"
#include "base/vec.h"
#include "geometry/triangle_mesh.h"

namespace firn {

struct PaintedPart {
  std::uint32_t first = 0, count = 0;  // of the indices
  int picture = -1;                    // none
};

struct PaintedMesh {
  std::vector<Vec3f> vertices, normals;  // in the file's units and axes
  std::vector<float> places;             // in the picture, 2 a vertex, from its top left corner
  std::vector<std::uint8_t> colors;      // 4 a vertex: sRGB, which multiplies the picture, and 255
  std::vector<std::uint32_t> indices;
  std::vector<PaintedPart> parts;
  std::vector<Image> pictures;
};

// Fails for files that are no glTF, and for those that give no looks at all.
Result<PaintedMesh> read_painted_mesh(const std::filesystem::path& path);

// The reader on bytes in memory; the folder of `path` is the only place that other files may be
// read from.
Result<PaintedMesh> parse_painted_mesh(std::string_view bytes, const std::filesystem::path& path);

Bounds bounds_of(const PaintedMesh& mesh);

}  // namespace firn
