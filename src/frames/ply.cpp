#include "frames/ply.h"

#include <bit>
#include <cstring>
#include <set>
#include <vector>

#include "mesh_io/atomic_file.h"
#include "mesh_io/ply_header.h"

namespace firn {

static_assert(std::endian::native == std::endian::little,
              "rows are written as they lie in memory, which must be little-endian");

namespace {

// The old type names: Blender and ParaView know them, and not always the sized ones.
constexpr const char* kPlyTypeNames[] = {"float", "double", "int", "uint", "uchar"};
constexpr std::size_t kTypeSizes[] = {4, 8, 4, 4, 1};

std::string column_problem(const PointTable& table) {
  std::set<std::string_view> names;
  for (const Column& column : table.columns) {
    if (column.name.empty() || column.name.find_first_of(" \t\r\n") != std::string::npos)
      return "column name \"" + column.name + "\" has blanks or is empty";
    if (!names.insert(column.name).second) return "column " + column.name + " appears twice";
    if (column.size() != table.count)
      return "column " + column.name + " has " + std::to_string(column.size()) + " values for " +
             std::to_string(table.count) + " points";
  }
  return table.columns.empty() ? "no columns" : "";
}

std::string header_text(const PointTable& table) {
  std::string text = "ply\nformat binary_little_endian 1.0\n";
  if (!table.metadata.empty()) text += metadata_comment(table.metadata) + "\n";
  text += "element vertex " + std::to_string(table.count) + "\n";
  for (const Column& column : table.columns)
    text += std::string("property ") + kPlyTypeNames[static_cast<int>(column.type())] + " " +
            column.name + "\n";
  return text + "end_header\n";
}

// Copies values[begin, end) to every stride-th place.
void interleave(const Column& column, std::size_t begin, std::size_t end, char* to,
                std::size_t stride) {
  std::visit(
      [&](const auto& values) {
        for (std::size_t i = begin; i < end; ++i, to += stride)
          std::memcpy(to, &values[i], sizeof(values[i]));
      },
      column.values);
}

}  // namespace

Result<std::filesystem::path> write_ply(const std::filesystem::path& path,
                                        const PointTable& table) {
  if (const std::string problem = column_problem(table); !problem.empty())
    return Result<std::filesystem::path>::failure(path.string() + ": " + problem);
  Result<AtomicFile> file = AtomicFile::create(path);
  if (!file) return file.errors();
  file->write(header_text(table));

  std::size_t stride = 0;
  for (const Column& column : table.columns) stride += kTypeSizes[static_cast<int>(column.type())];
  constexpr std::size_t kRows = 8192;  // a chunk of some hundred kilobytes stays in cache
  std::vector<char> chunk(kRows * stride);
  bool good = true;
  for (std::size_t begin = 0; good && begin < table.count; begin += kRows) {
    const std::size_t end = std::min(begin + kRows, table.count);
    char* to = chunk.data();
    for (const Column& column : table.columns) {
      interleave(column, begin, end, to, stride);
      to += kTypeSizes[static_cast<int>(column.type())];
    }
    good = file->write(chunk.data(), (end - begin) * stride);
  }
  return file->commit();
}

}  // namespace firn
