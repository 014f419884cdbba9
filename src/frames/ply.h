// PLY frames. The writer makes binary little-endian files with one vertex element and, where there
// are meshes, their triangles as faces; the reader also takes ascii and big-endian files, any
// property order, polygons, and skips other elements and lists. Metadata travels as
// `comment firn key=value ...`, with blanks and % in values as %XX; which faces belong to a mesh as
// `comment firn mesh NAME COUNT`. Poses of bodies lie beside (body_file.h).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "mesh_io/ply_header.h"
#include "particles/frame.h"

namespace firn {

Result<std::filesystem::path> write_ply(const std::filesystem::path& path, const Frame& frame);
Result<Frame> read_ply(const std::filesystem::path& path);

// Of a file, without its data.
Result<PlyHeader> read_ply_header(const std::filesystem::path& path);

// The reader on bytes in memory; `name` is what error lines call the file.
Result<Frame> parse_ply(std::string_view bytes, const std::string& name);
// The vertices alone: what follows them may be whatever it likes.
Result<PointTable> parse_ply_points(std::string_view bytes, const std::string& name);

}  // namespace firn
