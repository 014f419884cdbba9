// Medit: .mesh (text) and .meshb (binary, versions 1 to 4). Sections other than vertices and cells
// are passed over.

#include "mesh_io/number_stream.h"
#include "mesh_io/simplex_formats.h"

namespace firn {
namespace {

struct MeditSection {
  const char* keyword;
  int code;  // in binary files
  CellKind kind;
};
constexpr MeditSection kMeditSections[] = {{"Triangles", 6, {"triangle", 2, true, 3}},
                                           {"Quadrilaterals", 7, {"quadrilateral", 2, false, 4}},
                                           {"Tetrahedra", 8, {"tetrahedron", 3, true, 4}},
                                           {"Prisms", 9, {"prism", 3, false, 6}},
                                           {"Hexahedra", 10, {"hexahedron", 3, false, 8}},
                                           {"TrianglesP2", 24, {"triangle", 2, true, 6}},
                                           {"TetrahedraP2", 30, {"tetrahedron", 3, true, 10}},
                                           {"Pyramids", 49, {"pyramid", 3, false, 5}}};
constexpr int kMostMeditNodes = 10;
constexpr int kMeditDimension = 3, kMeditVertices = 4, kMeditEnd = 54;

class MeditReader {
 public:
  MeditReader(NumberStream in, CellList& cells) : in_(in), cells_(cells) {}

  // Numbers of points and cells, and coordinates, have so many bytes in binary files.
  void set_widths(int integers, int reals) {
    integer_bytes_ = integers;
    real_bytes_ = reals;
  }
  NumberStream& in() { return in_; }

  std::string read_dimension() {
    std::int64_t dimension = 0;
    if (!in_.integer(dimension) || dimension < 2 || dimension > 3)
      return "has no dimension of 2 or 3; write the file anew";
    dimension_ = static_cast<int>(dimension);
    return "";
  }

  std::string read_vertices() {
    std::int64_t count = 0, reference = 0;
    if (dimension_ == 0) return "has vertices before its dimension; write the file anew";
    if (!in_.integer(count, integer_bytes_)) return ends_early("vertex", 1);
    for (std::int64_t i = 1; i <= count; ++i) {
      Vec3d x = Vec3d::zero();
      for (int k = 0; k < dimension_; ++k)
        if (!in_.real(x[k], real_bytes_)) return ends_early("vertex", i);
      if (!in_.integer(reference, integer_bytes_)) return ends_early("vertex", i);
      cells_.add_point(static_cast<std::int64_t>(cells_.points()) + 1, x);
    }
    return "";
  }

  std::string read_cells(const MeditSection& section) {
    std::int64_t count = 0, corners[kMostMeditNodes] = {}, reference = 0;
    if (!in_.integer(count, integer_bytes_)) return ends_early(section.kind.name, 1);
    for (std::int64_t i = 1; i <= count; ++i) {
      for (int k = 0; k < section.kind.nodes; ++k)
        if (!in_.integer(corners[k], integer_bytes_)) return ends_early(section.kind.name, i);
      if (!in_.integer(reference, integer_bytes_)) return ends_early(section.kind.name, i);
      const std::string fault = cells_.add_cell(i, section.kind, corners);
      if (!fault.empty()) return fault;
    }
    return "";
  }

 private:
  NumberStream in_;
  CellList& cells_;
  int dimension_ = 0, integer_bytes_ = 4, real_bytes_ = 8;
};

// Files may have sections that nobody has told us of: what follows a keyword up to the next one are
// numbers.
std::string read_medit_text(MeditReader& reader) {
  if (reader.in().word() != "MeshVersionFormatted")
    return "is no Medit file: it does not start with MeshVersionFormatted";
  reader.in().word();
  std::string fault;
  while (fault.empty()) {
    const std::string_view keyword = reader.in().word();
    if (keyword.empty() || keyword == "End") break;
    if (keyword == "Dimension") fault = reader.read_dimension();
    if (keyword == "Vertices") fault = reader.read_vertices();
    for (const MeditSection& section : kMeditSections)
      if (keyword == section.keyword) fault = reader.read_cells(section);
  }
  return fault;
}

// Each section starts with its code and the place of the next one.
std::string read_medit_binary(std::string_view bytes, MeditReader& reader) {
  NumberStream& in = reader.in();
  std::int64_t mark = 0, version = 0;
  if (!in.integer(mark)) return "is no Medit file: it is too short";
  if (mark == 1 << 24) in.change_form(NumberForm::big_endian);
  if (mark != 1 && mark != 1 << 24) return "is no binary Medit file: its first number is not 1";
  if (!in.integer(version) || version < 1 || version > 4)
    return "is of a version of Medit's format that is not read; save it as version 2 or as .mesh";
  reader.set_widths(version >= 4 ? 8 : 4, version == 1 ? 4 : 8);
  const int place_bytes = version >= 3 ? 8 : 4;
  std::int64_t code = 0, next = 0;
  while (in.integer(code) && code != kMeditEnd) {
    const std::size_t here = bytes.size() - in.rest().size();
    if (!in.integer(next, place_bytes)) return ends_early("section", code);
    std::string fault;
    if (code == kMeditDimension) fault = reader.read_dimension();
    if (code == kMeditVertices) fault = reader.read_vertices();
    for (const MeditSection& section : kMeditSections)
      if (code == section.code) fault = reader.read_cells(section);
    if (!fault.empty()) return fault;
    if (next == 0) break;
    if (next < 0 || static_cast<std::uint64_t>(next) <= here ||
        static_cast<std::uint64_t>(next) > bytes.size())
      return "has a section that leads out of the file; write the file anew";
    in.go_on_with(bytes.substr(static_cast<std::size_t>(next)));
  }
  return "";
}

}  // namespace

std::string parse_medit(std::string_view text, CellList& cells) {
  MeditReader reader(NumberStream(text, NumberForm::text, '#'), cells);
  return read_medit_text(reader);
}

std::string parse_medit_binary(std::string_view bytes, CellList& cells) {
  MeditReader reader(NumberStream(bytes, NumberForm::little_endian), cells);
  return read_medit_binary(bytes, reader);
}

}  // namespace firn
