#include "frames/ply.h"

#include <algorithm>
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

std::string header_text(const Frame& table) {
  std::string text = "ply\nformat binary_little_endian 1.0\n";
  if (!table.metadata.empty()) text += metadata_comment(table.metadata) + "\n";
  std::uint64_t faces = 0;
  for (const FrameMesh& mesh : table.meshes) {
    text += mesh_comment({mesh.name, mesh.triangles.size() / 3}) + "\n";
    faces += mesh.triangles.size() / 3;
  }
  text += "element vertex " + std::to_string(table.count) + "\n";
  for (const Column& column : table.columns)
    text += std::string("property ") + kPlyTypeNames[static_cast<int>(column.type())] + " " +
            column.name + "\n";
  if (!table.meshes.empty())
    text += "element face " + std::to_string(faces) + "\nproperty list uchar int vertex_indices\n";
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

// Each triangle as a byte, which counts its corners, and three rows.
void write_faces(const FrameMesh& mesh, AtomicFile& file) {
  constexpr std::size_t kFaces = 4096, kFaceBytes = 13;
  std::string chunk;
  bool good = true;
  for (std::size_t i = 0; good && i + 2 < mesh.triangles.size(); i += 3) {
    chunk.push_back(3);
    chunk.append(reinterpret_cast<const char*>(&mesh.triangles[i]), kFaceBytes - 1);
    if (chunk.size() < kFaces * kFaceBytes) continue;
    good = file.write(chunk);
    chunk.clear();
  }
  file.write(chunk);
}

}  // namespace

Result<std::filesystem::path> write_ply(const std::filesystem::path& path, const Frame& table) {
  std::string problem = column_problem(table);
  if (problem.empty()) problem = mesh_problem(table);
  if (!problem.empty())
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
  for (const FrameMesh& mesh : table.meshes) write_faces(mesh, *file);
  return file->commit();
}

}  // namespace firn
