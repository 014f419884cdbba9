// Points from files: PLY vertices, the v lines of OBJ files, tables of text (CSV).
#pragma once

#include <filesystem>
#include <string_view>

#include "base/result.h"
#include "particles/point_table.h"

namespace firn {

// The first columns are x, y, z in metres (z = 0 where the file has none), of type double and
// finite. Other columns of a PLY file or of a table with a header follow under their names.
// A table separates its columns by comma, semicolon or blanks; its first line may name them;
// without names it has two or three.
Result<PointTable> read_points(const std::filesystem::path& path);

// The reader on bytes in memory; the extension of `path` chooses the format.
Result<PointTable> parse_points(std::string_view bytes, const std::filesystem::path& path);

}  // namespace firn
