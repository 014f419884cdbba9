// Gmsh: .msh 2.2 and 4.1, text and binary. Sections other than nodes and elements are passed over.
#include <algorithm>
#include <vector>

#include "mesh_io/number_stream.h"
#include "mesh_io/simplex_formats.h"

namespace firn {
namespace {

constexpr CellKind kGmshKinds[] = {{"", 0, false, 0},
                                   {"line", 1, false, 2},
                                   {"triangle", 2, true, 3},
                                   {"quadrilateral", 2, false, 4},
                                   {"tetrahedron", 3, true, 4},
                                   {"hexahedron", 3, false, 8},
                                   {"prism", 3, false, 6},
                                   {"pyramid", 3, false, 5},
                                   {"line", 1, false, 3},
                                   {"triangle", 2, true, 6},
                                   {"quadrilateral", 2, false, 9},
                                   {"tetrahedron", 3, true, 10},
                                   {"hexahedron", 3, false, 27},
                                   {"prism", 3, false, 18},
                                   {"pyramid", 3, false, 14},
                                   {"point", 0, false, 1},
                                   {"quadrilateral", 2, false, 8},
                                   {"hexahedron", 3, false, 20},
                                   {"prism", 3, false, 15},
                                   {"pyramid", 3, false, 13}};
constexpr int kMostGmshNodes = 27;
constexpr std::int64_t kMostGmshTags = 1000;  // of an element; more are damage

const CellKind* gmsh_kind(std::int64_t type) {
  const bool known = type > 0 && type < static_cast<std::int64_t>(std::size(kGmshKinds));
  return known ? &kGmshKinds[type] : nullptr;
}

std::string unknown_gmsh_type(std::int64_t type) {
  return "has elements of type " + std::to_string(type) +
         ", which are not read; save linear or quadratic ones";
}

class GmshReader {
 public:
  GmshReader(std::string_view bytes, CellList& cells) : in_(bytes), cells_(cells) {}

  // Empty, or what is wrong.
  std::string read() {
    std::string fault = read_format();
    while (fault.empty()) {
      const std::string_view section = in_.word();
      if (section.empty()) break;
      in_.skip_line();
      if (section == "$Nodes")
        fault = old_ ? read_old_nodes() : read_nodes();
      else if (section == "$Elements")
        fault = old_ ? read_old_elements() : read_elements();
      else if (section.starts_with("$") && !section.starts_with("$End"))
        fault = skip_section(section);
    }
    return fault;
  }

 private:
  std::string read_format() {
    if (in_.word() != "$MeshFormat") return "is no Gmsh file: it has no $MeshFormat at its start";
    const std::string_view version = in_.word();
    std::int64_t binary = 0, size = 0;
    if (!in_.integer(binary) || !in_.integer(size) || binary < 0 || binary > 1)
      return "has a damaged $MeshFormat; write the file anew";
    old_ = version == "2.2" || version == "2" || version == "2.1";
    if (!old_ && version != "4.1")
      return "is of Gmsh's format " + quoted_text(version) + "; save it as 4.1 or 2.2";
    if (size != 8) return "has numbers of " + std::to_string(size) + " bytes; save it with 8";
    in_.skip_line();
    if (binary == 0) return "";
    form_ = NumberForm::little_endian;
    NumberStream one(in_.rest(), form_);
    std::int64_t mark = 0;
    if (one.integer(mark) && mark != 1) form_ = NumberForm::big_endian;
    return in_.skip_bytes(4) ? "" : "ends behind its $MeshFormat; write the file anew";
  }

  std::string skip_section(std::string_view name) {
    const std::string end = "$End" + std::string(name.substr(1));
    const std::size_t at = in_.rest().find(end);
    if (at == std::string_view::npos)
      return "has no " + quoted_text(end) + "; the file ends early, write it anew";
    in_.go_on_with(in_.rest().substr(at + end.size()));
    return "";
  }

  bool coordinates(Vec3d& x) { return in_.real(x[0]) && in_.real(x[1]) && in_.real(x[2]); }

  std::string add(std::int64_t number, const CellKind& kind) {
    return cells_.add_cell(number, kind, corners_);
  }
  bool corners(const CellKind& kind, int bytes) {
    for (int i = 0; i < kind.nodes; ++i)
      if (!in_.integer(corners_[i], bytes)) return false;
    return true;
  }

  // 2.2: how many, then number and place of each.
  std::string read_old_nodes() {
    std::int64_t count = 0, number = 0;
    if (!in_.integer(count)) return ends_early("section", 0);
    in_.skip_line();
    in_.change_form(form_);
    for (std::int64_t i = 0; i < count; ++i) {
      Vec3d x;
      if (!in_.integer(number) || !coordinates(x)) return ends_early("point", i + 1);
      cells_.add_point(number, x);
    }
    in_.change_form(NumberForm::text);
    return "";
  }

  // Text: number, type, tags and nodes of each. Binary: blocks of one type and number of tags.
  std::string read_old_elements() {
    std::int64_t count = 0, type = 0, in_block = 1, tags = 0, number = 0;
    if (!in_.integer(count)) return ends_early("section", 0);
    in_.skip_line();
    in_.change_form(form_);
    for (std::int64_t i = 0; i < count; i += in_block) {
      const bool whole = in_.is_text()
                             ? in_.integer(number) && in_.integer(type) && in_.integer(tags)
                             : in_.integer(type) && in_.integer(in_block) && in_.integer(tags);
      if (!whole || tags < 0 || tags > kMostGmshTags || in_block < 1)
        return ends_early("element", i + 1);
      const CellKind* kind = gmsh_kind(type);
      if (kind == nullptr) return unknown_gmsh_type(type);
      for (std::int64_t k = 0; k < in_block; ++k) {
        if (!in_.is_text() && !in_.integer(number)) return ends_early("element", i + k + 1);
        std::int64_t tag = 0;
        for (std::int64_t t = 0; t < tags; ++t)
          if (!in_.integer(tag)) return ends_early("element", number);
        if (!corners(*kind, 4)) return ends_early("element", number);
        const std::string fault = add(number, *kind);
        if (!fault.empty()) return fault;
      }
    }
    in_.change_form(NumberForm::text);
    return "";
  }

  // 4.1: blocks of one entity each; first the numbers of its nodes, then their places.
  std::string read_nodes() {
    in_.change_form(form_);
    std::int64_t head[4], entity[3], count = 0;
    if (!long_integers(head, 4)) return ends_early("section", 0);
    std::vector<std::int64_t> numbers;
    for (std::int64_t block = 0; block < head[0]; ++block) {
      for (std::int64_t& value : entity)
        if (!in_.integer(value)) return ends_early("block of points", block + 1);
      if (!in_.integer(count, 8) || entity[0] < 0 || entity[0] > 3)
        return ends_early("block of points", block + 1);
      numbers.clear();
      for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t number = 0;
        if (!in_.integer(number, 8)) return ends_early("block of points", block + 1);
        numbers.push_back(number);
      }
      for (const std::int64_t number : numbers) {
        Vec3d x;
        double parameter = 0;
        if (!coordinates(x)) return ends_early("point", number);
        for (std::int64_t k = 0; entity[2] != 0 && k < entity[0]; ++k)
          if (!in_.real(parameter)) return ends_early("point", number);
        cells_.add_point(number, x);
      }
    }
    in_.change_form(NumberForm::text);
    return "";
  }

  std::string read_elements() {
    in_.change_form(form_);
    std::int64_t head[4], entity[3], count = 0, number = 0;
    if (!long_integers(head, 4)) return ends_early("section", 0);
    for (std::int64_t block = 0; block < head[0]; ++block) {
      for (std::int64_t& value : entity)
        if (!in_.integer(value)) return ends_early("block of elements", block + 1);
      if (!in_.integer(count, 8)) return ends_early("block of elements", block + 1);
      const CellKind* kind = gmsh_kind(entity[2]);
      if (kind == nullptr) return unknown_gmsh_type(entity[2]);
      for (std::int64_t i = 0; i < count; ++i) {
        if (!in_.integer(number, 8) || !corners(*kind, 8))
          return ends_early("block of elements", block + 1);
        const std::string fault = add(number, *kind);
        if (!fault.empty()) return fault;
      }
    }
    in_.change_form(NumberForm::text);
    return "";
  }

  bool long_integers(std::int64_t* values, int count) {
    for (int i = 0; i < count; ++i)
      if (!in_.integer(values[i], 8)) return false;
    return true;
  }

  NumberStream in_;
  CellList& cells_;
  NumberForm form_ = NumberForm::text;
  bool old_ = false;
  std::int64_t corners_[kMostGmshNodes] = {};
};

}  // namespace

std::string parse_gmsh(std::string_view bytes, CellList& cells) {
  return GmshReader(bytes, cells).read();
}

}  // namespace firn
