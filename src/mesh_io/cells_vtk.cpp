// VTK's legacy files of unstructured grids, text and binary, with cells as versions before 5 wrote
// them and as those since do.
#include <utility>

#include "mesh_io/number_stream.h"
#include "mesh_io/simplex_formats.h"

namespace firn {
namespace {

constexpr std::pair<int, CellKind> kVtkKinds[] = {
    {1, {"point", 0, false, 1}},          {2, {"set of points", 0, false, 0}},
    {3, {"line", 1, false, 2}},           {4, {"line", 1, false, 0}},
    {5, {"triangle", 2, true, 3}},        {6, {"strip of triangles", 2, false, 0}},
    {7, {"polygon", 2, false, 0}},        {8, {"pixel", 2, false, 4}},
    {9, {"quadrilateral", 2, false, 4}},  {10, {"tetrahedron", 3, true, 4}},
    {11, {"voxel", 3, false, 8}},         {12, {"hexahedron", 3, false, 8}},
    {13, {"wedge", 3, false, 6}},         {14, {"pyramid", 3, false, 5}},
    {21, {"line", 1, false, 3}},          {22, {"triangle", 2, true, 6}},
    {23, {"quadrilateral", 2, false, 8}}, {24, {"tetrahedron", 3, true, 10}},
    {25, {"hexahedron", 3, false, 20}},   {26, {"wedge", 3, false, 15}},
    {27, {"pyramid", 3, false, 13}},      {28, {"quadrilateral", 2, false, 9}},
    {29, {"hexahedron", 3, false, 27}},   {42, {"polyhedron", 3, false, 0}}};

// Bytes of a number of a type that VTK names; 0 for others.
int bytes_of_real(std::string_view type) {
  return type == "double" ? 8 : type == "float" ? 4 : 0;
}

class VtkReader {
 public:
  VtkReader(std::string_view bytes, CellList& cells) : in_(bytes), cells_(cells) {}

  // Empty, or what is wrong.
  std::string read() {
    std::string fault = read_head();
    while (fault.empty() && !in_.rest().empty()) {
      std::string_view rest = in_.rest(), line;
      take_line(rest, line);
      const std::string_view keyword = take_word(line);
      in_.go_on_with(rest);
      if (keyword == "POINTS")
        fault = read_points(line);
      else if (keyword == "CELLS")
        fault = read_cells(line);
      else if (keyword == "CELL_TYPES")
        fault = read_types(line);
      else if (keyword == "POINT_DATA" || keyword == "CELL_DATA")
        break;
    }
    return fault.empty() ? add_cells() : fault;
  }

 private:
  std::string read_head() {
    std::string_view rest = in_.rest(), line;
    take_line(rest, line);
    if (!line.starts_with("# vtk DataFile"))
      return "is no VTK file: its first line is not \"# vtk DataFile\"";
    take_line(rest, line);  // a title
    in_.go_on_with(rest);
    const std::string_view form = in_.word();
    if (form != "ASCII" && form != "BINARY") return "says neither ASCII nor BINARY";
    if (form == "BINARY") form_ = NumberForm::big_endian;
    if (in_.word() != "DATASET" || in_.word() != "UNSTRUCTURED_GRID")
      return "holds no UNSTRUCTURED_GRID; save the mesh as one";
    in_.skip_line();
    return "";
  }

  static bool take_count(std::string_view& line, std::int64_t& value) {
    NumberStream words(line);
    const bool there = words.integer(value) && value >= 0;
    line = words.rest();
    return there;
  }

  std::string read_points(std::string_view line) {
    std::int64_t count = 0;
    const bool counted = take_count(line, count);
    const std::string_view type = take_word(line);
    const int bytes = bytes_of_real(type);
    if (!counted || bytes == 0)
      return "has points of type " + quoted_text(type) + "; save them as float or double";
    in_.change_form(form_);
    for (std::int64_t i = 0; i < count; ++i) {
      Vec3d x;
      for (int k = 0; k < 3; ++k)
        if (!in_.real(x[k], bytes)) return ends_early("point", i);
      cells_.add_point(i, x);
    }
    in_.change_form(NumberForm::text);
    return "";
  }

  // Old files: for each cell how many corners it has, and these. New ones: where the corners of
  // each start, then all corners.
  std::string read_cells(std::string_view line) {
    std::int64_t count = 0, size = 0;
    if (!take_count(line, count) || !take_count(line, size)) return ends_early("section", 0);
    std::string_view rest = in_.rest();
    if (take_word(rest) != "OFFSETS") return read_integers(size, 4, counted_corners_);
    const std::string fault = read_array("OFFSETS", count, offsets_);
    return fault.empty() ? read_array("CONNECTIVITY", size, corners_) : fault;
  }

  std::string read_array(std::string_view name, std::int64_t count,
                         std::vector<std::int64_t>& values) {
    if (in_.word() != name) return "has no " + std::string(name) + "; write the file anew";
    const std::string_view type = in_.word();
    in_.skip_line();
    if (type == "vtktypeint64") return read_integers(count, 8, values);
    if (type == "vtktypeint32" || type == "int") return read_integers(count, 4, values);
    return "has " + std::string(name) + " of type " + quoted_text(type) +
           "; save them as vtktypeint64";
  }

  std::string read_types(std::string_view line) {
    std::int64_t count = 0;
    if (!take_count(line, count)) return ends_early("section", 0);
    return read_integers(count, 4, types_);
  }

  std::string read_integers(std::int64_t count, int bytes, std::vector<std::int64_t>& values) {
    in_.change_form(form_);
    values.clear();
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t value = 0;
      if (!in_.integer(value, bytes)) return ends_early("number of a cell", i);
      values.push_back(value);
    }
    in_.change_form(NumberForm::text);
    return "";
  }

  std::string add_cells() {
    const bool is_new = !offsets_.empty();
    const std::vector<std::int64_t>& corners = is_new ? corners_ : counted_corners_;
    const std::size_t count = types_.size();
    std::uint64_t at = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const CellKind* kind = vtk_cell_kind(types_[i]);
      const auto number = static_cast<std::int64_t>(i);
      if (kind == nullptr)
        return "cell " + std::to_string(i) + " has the type " + std::to_string(types_[i]) +
               ", which is not read; save linear or quadratic cells";
      std::int64_t nodes = 0;
      if (is_new) {
        if (i + 1 >= offsets_.size()) return ends_early("cell", number);
        at = static_cast<std::uint64_t>(offsets_[i]);
        nodes = offsets_[i + 1] - offsets_[i];
      } else {
        if (at >= corners.size()) return ends_early("cell", number);
        nodes = corners[at++];
      }
      const bool fits = kind->nodes == 0 ? nodes >= 0 : nodes == kind->nodes;
      if (!fits || at > corners.size() || static_cast<std::uint64_t>(nodes) > corners.size() - at)
        return "cell " + std::to_string(i) + " has " + std::to_string(nodes) +
               " points, too few or too many for what it is; write the file anew";
      const std::string fault = cells_.add_cell(number, *kind, corners.data() + at);
      if (!fault.empty()) return fault;
      at += static_cast<std::uint64_t>(nodes);
    }
    return "";
  }

  NumberStream in_;
  CellList& cells_;
  NumberForm form_ = NumberForm::text;
  std::vector<std::int64_t> counted_corners_, offsets_, corners_, types_;
};

}  // namespace

const CellKind* vtk_cell_kind(std::int64_t type) {
  for (const auto& [number, kind] : kVtkKinds)
    if (number == type) return &kind;
  return nullptr;
}

std::string parse_vtk_cells(std::string_view bytes, CellList& cells) {
  cells.call_cells("cell");
  return VtkReader(bytes, cells).read();
}

}  // namespace firn
