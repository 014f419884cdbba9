// PLY frames. The writer makes binary little-endian files with one vertex element; the reader also
// takes ascii and big-endian files, any property order, and skips other elements and lists.
// Metadata travels as `comment firn key=value ...`, with blanks and % in values as %XX.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "particles/point_table.h"

namespace firn {

Result<std::filesystem::path> write_ply(const std::filesystem::path& path, const PointTable& table);
Result<PointTable> read_ply(const std::filesystem::path& path);

// The reader on bytes in memory; `name` is what error lines call the file.
Result<PointTable> parse_ply(std::string_view bytes, const std::string& name);

}  // namespace firn
