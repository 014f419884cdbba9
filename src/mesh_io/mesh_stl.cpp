// STL, binary and text. Triangles come with corners of their own.
#include <bit>
#include <cstring>

#include "mesh_io/mesh_formats.h"
#include "mesh_io/text_scan.h"

namespace firn {
namespace {

constexpr std::size_t kHeader = 84;    // 80 bytes of anything and the number of triangles
constexpr std::size_t kTriangle = 50;  // normal, three corners, two bytes of anything
constexpr std::size_t kFirstCorner = 12;

std::uint32_t load_u32(const char* from) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(from);
  return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | std::uint32_t(bytes[3]) << 24;
}

void add_triangle(TriangleMesh& mesh, const Vec3d* corners) {
  const auto base = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), corners, corners + 3);
  mesh.triangles.push_back({base, base + 1, base + 2});
}

// Text files may start with "solid", and so do some binary ones: the length decides.
bool is_binary(std::string_view bytes) {
  if (bytes.size() < kHeader) return false;
  const std::size_t expected = kHeader + kTriangle * load_u32(bytes.data() + 80);
  return bytes.size() == expected || !bytes.starts_with("solid");
}

Result<TriangleMesh> parse_binary(std::string_view bytes, const std::string& name) {
  const std::size_t count = load_u32(bytes.data() + 80);
  if (count > (bytes.size() - kHeader) / kTriangle)
    return Result<TriangleMesh>::failure(name + ": announces " + std::to_string(count) +
                                         " triangles, the file ends before them");
  TriangleMesh mesh;
  mesh.vertices.reserve(3 * count);
  mesh.triangles.reserve(count);
  for (std::size_t t = 0; t < count; ++t) {
    const char* from = bytes.data() + kHeader + t * kTriangle + kFirstCorner;
    Vec3d corners[3];
    for (int k = 0; k < 9; ++k)
      corners[k / 3][k % 3] = std::bit_cast<float>(load_u32(from + 4 * k));
    add_triangle(mesh, corners);
  }
  return mesh;
}

Result<TriangleMesh> parse_text(std::string_view text, const std::string& name) {
  const auto fail = [&](std::size_t line, const char* what) {
    return Result<TriangleMesh>::failure(name + ": line " + std::to_string(line) + ": " + what);
  };
  if (!text.starts_with("solid"))
    return Result<TriangleMesh>::failure(name + ": not an STL file: too short, or no \"solid\"");
  TriangleMesh mesh;
  Vec3d corners[3];
  int count = 0;
  std::string_view line;
  for (std::size_t number = 1; take_line(text, line); ++number) {
    const std::string_view keyword = take_word(line);
    if (keyword == "vertex") {
      if (count == 3) return fail(number, "a facet with more than three corners");
      for (int i = 0; i < 3; ++i)
        if (!parse_number(take_word(line), corners[count][i]))
          return fail(number, "a vertex needs three numbers");
      ++count;
    } else if (keyword == "endfacet") {
      if (count != 3) return fail(number, "a facet with less than three corners");
      add_triangle(mesh, corners);
      count = 0;
    }
  }
  if (count != 0) return Result<TriangleMesh>::failure(name + ": the file ends inside a facet");
  return mesh;
}

}  // namespace

Result<TriangleMesh> parse_stl(std::string_view bytes, const std::string& name) {
  return is_binary(bytes) ? parse_binary(bytes, name) : parse_text(bytes, name);
}

}  // namespace firn
