// Wavefront OBJ: v and f lines; everything else (materials, groups, curves) is passed over.
#include <charconv>

#include "mesh_io/mesh_formats.h"
#include "mesh_io/text_scan.h"

namespace firn {
namespace {

class ObjReader {
 public:
  // Empty, or what is wrong.
  std::string read(std::string_view text) {
    std::string_view line;
    while (take_line(text, line)) {
      ++line_number_;
      if (line.ends_with('\\')) {  // continued on the next line
        joined_.append(line.substr(0, line.size() - 1)).append(" ");
        continue;
      }
      if (!joined_.empty()) {
        joined_.append(line);
        line = joined_;
      }
      const std::string fault = read_line(line);
      if (!fault.empty()) return "line " + std::to_string(line_number_) + ": " + fault;
      joined_.clear();
    }
    return "";
  }

  TriangleMesh& mesh() { return mesh_; }

 private:
  std::string read_line(std::string_view line) {
    const std::string_view keyword = take_word(line);
    if (keyword == "v") return read_vertex(line);
    if (keyword == "f") return read_face(line);
    return "";
  }

  std::string read_vertex(std::string_view line) {
    Vec3d p;
    for (int i = 0; i < 3; ++i) {
      const std::string_view word = take_word(line);
      if (!parse_number(word, p[i])) return "a vertex needs three numbers";
    }
    mesh_.vertices.push_back(p);
    return "";
  }

  // Corners are "v", "v/vt", "v//vn" or "v/vt/vn"; negative numbers count from the last vertex.
  std::string read_face(std::string_view line) {
    corners_.clear();
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
      if (word.starts_with('#')) break;
      const std::string_view digits = word.substr(0, word.find('/'));
      std::int64_t index = 0;
      const auto [end, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), index);
      if (error != std::errc() || end != digits.data() + digits.size())
        return "not a face corner: " + quoted_text(word);
      const auto count = static_cast<std::int64_t>(mesh_.vertices.size());
      if (index < -count || index > count || index == 0)
        return "a face names vertex " + std::to_string(index) + " of " + std::to_string(count);
      corners_.push_back(static_cast<std::uint32_t>(index > 0 ? index - 1 : count + index));
    }
    if (corners_.size() < 3) return "a face needs three corners";
    add_polygon(mesh_, corners_);
    return mesh_.triangles.size() > kMostTriangles ? "more than 100 million triangles" : "";
  }

  TriangleMesh mesh_;
  std::vector<std::uint32_t> corners_;
  std::string joined_;
  std::size_t line_number_ = 0;
};

}  // namespace

Result<TriangleMesh> parse_obj(std::string_view bytes, const std::string& name) {
  ObjReader reader;
  const std::string fault = reader.read(bytes);
  if (!fault.empty()) return Result<TriangleMesh>::failure(name + ": " + fault);
  return std::move(reader.mesh());
}

}  // namespace firn
