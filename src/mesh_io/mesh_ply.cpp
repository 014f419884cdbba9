// PLY with faces: vertex elements with x, y, z and face elements with a list of corners. Other
// elements and properties are passed over.
#include <bit>
#include <cmath>
#include <cstring>

#include "mesh_io/mesh_formats.h"
#include "mesh_io/ply_header.h"
#include "mesh_io/text_scan.h"

namespace firn {
namespace {

class PlyMeshReader {
 public:
  PlyMeshReader(std::string_view bytes, const PlyHeader& header)
      : header_(header),
        rest_(bytes.substr(header.size)),
        swap_((header.format == PlyFormat::big_endian) !=
              (std::endian::native == std::endian::big)) {}

  // Empty, or what is wrong.
  std::string read() {
    for (const PlyElement& element : header_.elements) {
      const std::string fault = element.name == "vertex" ? read_vertices(element)
                                : element.name == "face" ? read_faces(element)
                                                         : skip(element);
      if (!fault.empty()) return "element " + element.name + ": " + fault;
    }
    return "";
  }

  TriangleMesh& mesh() { return mesh_; }

 private:
  using Row = std::vector<std::vector<double>>;  // the values of each property

  bool next_value(PlyType type, double& value) {
    if (header_.format == PlyFormat::ascii) return parse_number(take_word(rest_), value);
    const std::size_t size = size_of(type);
    if (rest_.size() < size) return false;
    unsigned char bytes[8] = {};
    for (std::size_t i = 0; i < size; ++i) bytes[swap_ ? size - 1 - i : i] = rest_[i];
    rest_.remove_prefix(size);
    value = as_number(type, bytes);
    return true;
  }

  template <class T>
  static double loaded(const unsigned char* from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return static_cast<double>(value);
  }

  static double as_number(PlyType type, const unsigned char* bytes) {
    switch (type) {
      case PlyType::int8:
        return loaded<std::int8_t>(bytes);
      case PlyType::uint8:
        return loaded<std::uint8_t>(bytes);
      case PlyType::int16:
        return loaded<std::int16_t>(bytes);
      case PlyType::uint16:
        return loaded<std::uint16_t>(bytes);
      case PlyType::int32:
        return loaded<std::int32_t>(bytes);
      case PlyType::uint32:
        return loaded<std::uint32_t>(bytes);
      case PlyType::float32:
        return loaded<float>(bytes);
      case PlyType::float64:
        break;
    }
    return loaded<double>(bytes);
  }

  bool next_row(const PlyElement& element, Row& row) {
    for (std::size_t i = 0; i < element.properties.size(); ++i) {
      const PlyProperty& property = element.properties[i];
      double count = 1;
      if (property.is_list && !next_value(property.count_type, count)) return false;
      // A value takes at least a byte: longer lists cannot be there.
      if (!(count >= 0 && count <= static_cast<double>(rest_.size()))) return false;
      row[i].resize(static_cast<std::size_t>(count));
      for (double& value : row[i])
        if (!next_value(property.type, value)) return false;
    }
    return true;
  }

  template <class Use>
  std::string for_each_row(const PlyElement& element, Use&& use) {
    if (element.properties.empty()) return "";
    Row row(element.properties.size());
    for (std::uint64_t i = 0; i < element.count; ++i) {
      if (!next_row(element, row)) return "the file ends early, or a value is not a number";
      const std::string fault = use(row);
      if (!fault.empty()) return fault;
    }
    return "";
  }

  static int find(const PlyElement& element, std::string_view name, bool is_list) {
    for (std::size_t i = 0; i < element.properties.size(); ++i)
      if (element.properties[i].name == name && element.properties[i].is_list == is_list)
        return static_cast<int>(i);
    return -1;
  }

  std::string skip(const PlyElement& element) {
    return for_each_row(element, [](const Row&) { return std::string(); });
  }

  std::string read_vertices(const PlyElement& element) {
    const int x = find(element, "x", false), y = find(element, "y", false),
              z = find(element, "z", false);
    if (x < 0 || y < 0 || z < 0) return "no properties x, y and z";
    return for_each_row(element, [&](const Row& row) {
      mesh_.vertices.push_back({{row[x][0], row[y][0], row[z][0]}});
      return std::string();
    });
  }

  std::string read_faces(const PlyElement& element) {
    int list = find(element, "vertex_indices", true);
    if (list < 0) list = find(element, "vertex_index", true);
    if (list < 0) return "no list vertex_indices";
    std::vector<std::uint32_t> corners;
    return for_each_row(element, [&](const Row& row) -> std::string {
      corners.clear();
      for (const double index : row[list]) {
        if (!(index >= 0 && index < static_cast<double>(mesh_.vertices.size())))
          return "a face names a vertex that does not exist";
        corners.push_back(static_cast<std::uint32_t>(index));
      }
      add_polygon(mesh_, corners);
      return mesh_.triangles.size() > kMostTriangles ? "more than 100 million triangles" : "";
    });
  }

  const PlyHeader& header_;
  std::string_view rest_;
  bool swap_;
  TriangleMesh mesh_;
};

}  // namespace

Result<TriangleMesh> parse_ply_mesh(std::string_view bytes, const std::string& name) {
  const Result<PlyHeader> header = parse_ply_header(bytes, name);
  if (!header) return header.errors();
  PlyMeshReader reader(bytes, *header);
  const std::string fault = reader.read();
  if (!fault.empty()) return Result<TriangleMesh>::failure(name + ": " + fault);
  return std::move(reader.mesh());
}

}  // namespace firn
