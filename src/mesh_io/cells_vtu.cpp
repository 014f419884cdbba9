// VTK's XML files of unstructured grids: data as text, inline in base64, or appended raw or in
// base64. Several pieces are read as one mesh.
#include <algorithm>

#include "mesh_io/base64_text.h"
#include "mesh_io/number_stream.h"
#include "mesh_io/simplex_formats.h"
#include "mesh_io/xml_tags.h"

namespace firn {
namespace {

struct VtuType {
  const char* name;
  int bytes;
  bool is_real, is_signed;
};
constexpr VtuType kVtuTypes[] = {{"Float64", 8, true, true}, {"Float32", 4, true, true},
                                 {"Int64", 8, false, true},  {"UInt64", 8, false, false},
                                 {"Int32", 4, false, true},  {"UInt32", 4, false, false},
                                 {"Int16", 2, false, true},  {"UInt16", 2, false, false},
                                 {"Int8", 1, false, true},   {"UInt8", 1, false, false}};

std::int64_t small_integer(std::string_view bytes, bool swap, bool is_signed) {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bits = bits << 8 | static_cast<unsigned char>(bytes[swap ? i : bytes.size() - 1 - i]);
  if (!is_signed) return bits;
  return bytes.size() == 1 ? static_cast<std::int8_t>(bits) : static_cast<std::int16_t>(bits);
}

class VtuReader {
 public:
  VtuReader(std::string_view bytes, CellList& cells) : bytes_(bytes), cells_(cells) {}

  // Empty, or what is wrong.
  std::string read() {
    std::string fault = find_appended();
    XmlTags tags(bytes_);
    if (fault.empty()) fault = read_head(tags);
    while (fault.empty() && tags.next()) {
      const std::string_view name = tags.name();
      if (name == "AppendedData") break;
      if (name == "Points" || name == "Cells" || name == "/Points" || name == "/Cells")
        section_ = name;
      if (name == "DataArray") fault = read_array(tags);
      if (name == "/Piece") fault = add_piece();
    }
    return fault;
  }

 private:
  std::string read_head(XmlTags& tags) {
    if (!tags.next() || tags.name() != "VTKFile")
      return "is no VTK file: it does not start with <VTKFile>";
    if (tags.attribute("type") != "UnstructuredGrid")
      return "is of type " + quoted_text(tags.attribute("type")) +
             "; save the mesh as UnstructuredGrid";
    if (!tags.attribute("compressor").empty())
      return "is compressed, which is not read; save it without (in ParaView: Compressor Type "
             "None)";
    if (tags.attribute("byte_order") == "BigEndian") form_ = NumberForm::big_endian;
    header_bytes_ = tags.attribute("header_type") == "UInt64" ? 8 : 4;
    return "";
  }

  // Appended data are behind the first underscore; raw ones may look like tags.
  std::string find_appended() {
    const std::size_t at = bytes_.find("<AppendedData");
    if (at == std::string_view::npos) return "";
    XmlTags tags(bytes_.substr(at));
    if (!tags.next()) return "has a damaged AppendedData; write the file anew";
    appended_is_raw_ = tags.attribute("encoding") != "base64";
    const std::size_t mark = tags.rest().find('_');
    if (mark == std::string_view::npos) return "has an empty AppendedData; write the file anew";
    appended_ = tags.rest().substr(mark + 1);
    bytes_ = bytes_.substr(0, at);
    return "";
  }

  static const VtuType* type_of(std::string_view name) {
    for (const VtuType& type : kVtuTypes)
      if (name == type.name) return &type;
    return nullptr;
  }

  std::string read_array(const XmlTags& tags) {
    const std::string_view name = tags.attribute("Name");
    const bool is_points = section_ == "Points";
    std::vector<std::int64_t>* integers = name == "connectivity" ? &corners_
                                          : name == "offsets"    ? &ends_
                                          : name == "types"      ? &types_
                                                                 : nullptr;
    if (!is_points && (section_ != "Cells" || integers == nullptr)) return "";
    const VtuType* type = type_of(tags.attribute("type"));
    if (type == nullptr || (type->is_real && !is_points))
      return "has an array " + quoted_text(name) + " of type " +
             quoted_text(tags.attribute("type")) + "; write the file anew";
    std::string decoded, fault;
    const bool is_text = tags.attribute("format") == "ascii";
    const std::string_view data = is_text ? tags.text() : bytes_of(tags, decoded, fault);
    if (!fault.empty()) return "array " + quoted_text(name) + ": " + fault;
    if (is_points) return take_points(data, *type, is_text);
    integers->clear();
    return take_integers(data, *type, is_text, *integers);
  }

  // The bytes of an array, behind the number of bytes that stands before them.
  std::string_view bytes_of(const XmlTags& tags, std::string& decoded, std::string& fault) const {
    std::string_view data = tags.text();
    bool is_raw = false;
    const bool is_appended = tags.attribute("format") == "appended";
    if (is_appended) {
      std::int64_t offset = -1;
      NumberStream(tags.attribute("offset")).integer(offset);
      if (offset < 0 || static_cast<std::uint64_t>(offset) > appended_.size()) {
        fault = "lies outside of the appended data; write the file anew";
        return {};
      }
      data = appended_.substr(static_cast<std::size_t>(offset));
      is_raw = appended_is_raw_;
    }
    if (!is_raw) {
      if (!decode_base64(is_appended ? until_its_end(data) : data, decoded)) {
        fault = "is no base64; write the file anew";
        return {};
      }
      data = decoded;
    }
    NumberStream in(data, form_);
    std::int64_t size = -1;
    const bool there = in.integer(size, header_bytes_);
    if (header_bytes_ == 4) size &= 0xffffffff;
    if (!there || size < 0 || static_cast<std::uint64_t>(size) > in.rest().size()) {
      fault = "the file ends before it; write the file anew";
      return {};
    }
    return in.rest().substr(0, static_cast<std::size_t>(size));
  }

  // Of appended arrays nobody says where they end but their own first number.
  std::string_view until_its_end(std::string_view text) const {
    text = text.substr(0, text.find('<'));
    std::string head;
    const std::size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    text.remove_prefix(first);
    const std::size_t head_chars = header_bytes_ == 8 ? 12 : 8;
    if (!decode_base64(text.substr(0, head_chars), head)) return text;
    std::int64_t size = 0;
    NumberStream in(head, form_);
    if (!in.integer(size, header_bytes_)) return text;
    if (header_bytes_ == 4) size &= 0xffffffff;
    if (size < 0 || static_cast<std::uint64_t>(size) > text.size()) return text;
    // The number may be a stream of its own, with padding; blanks are rare.
    return text.substr(0, ((static_cast<std::size_t>(size) + 2) / 3 + 4) * 4);
  }

  std::string take_points(std::string_view data, const VtuType& type, bool is_text) {
    if (!type.is_real) return "has points that are no real numbers; save them as Float64";
    NumberStream in(data, is_text ? NumberForm::text : form_);
    first_point_ = static_cast<std::int64_t>(cells_.points());
    for (;;) {
      Vec3d x;
      for (int k = 0; k < 3; ++k) {
        if (in.real(x[k], type.bytes)) continue;
        const bool at_end =
            k == 0 && in.rest().find_first_not_of(" \t\r\n") == std::string_view::npos;
        return at_end ? "" : ends_early("point", static_cast<std::int64_t>(cells_.points()));
      }
      cells_.add_point(static_cast<std::int64_t>(cells_.points()), x);
    }
  }

  std::string take_integers(std::string_view data, const VtuType& type, bool is_text,
                            std::vector<std::int64_t>& values) const {
    NumberStream in(data, is_text ? NumberForm::text : form_);
    std::int64_t value = 0;
    if (is_text || type.bytes >= 4) {
      while (in.integer(value, type.bytes)) {
        if (!is_text && type.bytes == 4 && !type.is_signed) value &= 0xffffffff;
        values.push_back(value);
      }
      const bool at_end = in.rest().find_first_not_of(" \t\r\n") == std::string_view::npos;
      return at_end || !is_text
                 ? ""
                 : ends_early("number of a cell", static_cast<std::int64_t>(values.size()));
    }
    const auto width = static_cast<std::size_t>(type.bytes);
    for (std::size_t at = 0; at + width <= data.size(); at += width)
      values.push_back(
          small_integer(data.substr(at, width), form_ == NumberForm::big_endian, type.is_signed));
    return "";
  }

  std::string add_piece() {
    if (types_.size() != ends_.size()) return "has not as many types as cells; write the file anew";
    // Pieces count their points from 0.
    const std::int64_t points = static_cast<std::int64_t>(cells_.points()) - first_point_;
    std::int64_t begin = 0, shifted[4] = {};
    for (std::size_t i = 0; i < types_.size(); ++i) {
      const std::int64_t end = ends_[i], nodes = end - begin;
      const CellKind* kind = vtk_cell_kind(types_[i]);
      const std::string cell = "cell " + std::to_string(next_cell_);
      if (kind == nullptr)
        return cell + " has the type " + std::to_string(types_[i]) +
               ", which is not read; save linear or quadratic cells";
      if (end < begin || static_cast<std::uint64_t>(end) > corners_.size() ||
          (kind->nodes > 0 && nodes != kind->nodes))
        return cell + " has too few or too many points for what it is; write the file anew";
      for (int k = 0; kind->is_simplex && k <= kind->dimension; ++k) {
        const std::int64_t corner = corners_[static_cast<std::size_t>(begin + k)];
        if (corner < 0 || corner >= points)
          return cell + " names point " + std::to_string(corner) + " of " + std::to_string(points) +
                 "; write the file anew";
        shifted[k] = corner + first_point_;
      }
      const std::string fault = cells_.add_cell(next_cell_++, *kind, shifted);
      if (!fault.empty()) return fault;
      begin = end;
    }
    corners_.clear();
    ends_.clear();
    types_.clear();
    return "";
  }

  std::string_view bytes_, appended_;
  CellList& cells_;
  NumberForm form_ = NumberForm::little_endian;
  int header_bytes_ = 4;
  bool appended_is_raw_ = true;
  std::string_view section_;
  std::int64_t first_point_ = 0, next_cell_ = 0;
  std::vector<std::int64_t> corners_, ends_, types_;
};

}  // namespace

std::string parse_vtu_cells(std::string_view bytes, CellList& cells) {
  cells.call_cells("cell");
  return VtuReader(bytes, cells).read();
}

}  // namespace firn
