#include "mesh_io/ply_header.h"

#include <array>
#include <charconv>
#include <optional>
#include <set>

namespace firn {

namespace {

struct TypeName {
  std::string_view name;
  PlyType type;
};
constexpr std::array<TypeName, 16> kTypeNames = {{{"char", PlyType::int8},
                                                  {"int8", PlyType::int8},
                                                  {"uchar", PlyType::uint8},
                                                  {"uint8", PlyType::uint8},
                                                  {"short", PlyType::int16},
                                                  {"int16", PlyType::int16},
                                                  {"ushort", PlyType::uint16},
                                                  {"uint16", PlyType::uint16},
                                                  {"int", PlyType::int32},
                                                  {"int32", PlyType::int32},
                                                  {"uint", PlyType::uint32},
                                                  {"uint32", PlyType::uint32},
                                                  {"float", PlyType::float32},
                                                  {"float32", PlyType::float32},
                                                  {"double", PlyType::float64},
                                                  {"float64", PlyType::float64}}};

std::optional<PlyType> type_named(std::string_view word) {
  for (const TypeName& entry : kTypeNames)
    if (entry.name == word) return entry.type;
  return std::nullopt;
}

std::vector<std::string_view> split_words(std::string_view line) {
  std::vector<std::string_view> words;
  std::size_t at = 0;
  while (true) {
    at = line.find_first_not_of(" \t", at);
    if (at == std::string_view::npos) return words;
    const std::size_t end = line.find_first_of(" \t", at);
    words.push_back(line.substr(at, end - at));
    if (end == std::string_view::npos) return words;
    at = end;
  }
}

// Quoted for an error line: short, and without control characters.
std::string quoted_word(std::string_view text) {
  std::string out = "\"";
  for (const char c : text.substr(0, 40)) out += c >= ' ' && c <= '~' ? c : '?';
  return out + (text.size() > 40 ? "...\"" : "\"");
}

std::string encode(std::string_view value) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > ' ' && c != '%' && byte != 0x7f) {
      out += c;
    } else {
      out += '%';
      out += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
  return out;
}

std::string decode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(&text[i + 1], &text[i + 1] + 2, byte, 16).ptr == &text[i + 1] + 2) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

class HeaderParser {
 public:
  explicit HeaderParser(std::string_view bytes) : bytes_(bytes) {}

  // The header, or the error in `reason()`.
  bool run() {
    std::string_view line;
    if (!next_line(line) || line != "ply") return fail("not a PLY file (no \"ply\" in line 1)");
    bool has_format = false;
    while (next_line(line)) {
      const auto words = split_words(line);
      if (words.empty()) continue;
      if (words[0] == "end_header") {
        header_.size = at_;
        return has_format || fail("no format line");
      }
      if (words[0] == "format")
        has_format = parse_format(words);
      else if (words[0] == "element")
        parse_element(words);
      else if (words[0] == "property")
        parse_property(words);
      else if (words[0] == "comment" && words.size() > 2 && words[1] == "firn" &&
               words[2] == "mesh")
        parse_mesh_note(words);
      else if (words[0] == "comment")
        parse_comment(words);
      else if (words[0] != "obj_info")
        fail("unknown header line " + quoted_word(line));
      if (!reason_.empty()) return false;
    }
    return fail("the header has no end_header line");
  }

  PlyHeader& header() { return header_; }
  std::string located_reason() const {
    return "line " + std::to_string(line_number_) + ": " + reason_;
  }

 private:
  bool fail(std::string reason) {
    reason_ = std::move(reason);
    return false;
  }

  bool next_line(std::string_view& line) {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) return false;
    line = bytes_.substr(at_, end - at_);
    if (line.ends_with('\r')) line.remove_suffix(1);
    at_ = end + 1;
    ++line_number_;
    return true;
  }

  bool parse_format(const std::vector<std::string_view>& words) {
    if (words.size() != 3 || words[2] != "1.0") return fail("format is not version 1.0");
    if (words[1] == "ascii")
      header_.format = PlyFormat::ascii;
    else if (words[1] == "binary_little_endian")
      header_.format = PlyFormat::little_endian;
    else if (words[1] == "binary_big_endian")
      header_.format = PlyFormat::big_endian;
    else
      return fail("unknown format " + quoted_word(words[1]));
    return true;
  }

  bool parse_element(const std::vector<std::string_view>& words) {
    PlyElement element;
    if (words.size() != 3) return fail("an element line needs a name and a count");
    if (!parse_count(words[2], element.count))
      return fail("bad element count " + quoted_word(words[2]));
    element.name = words[1];
    header_.elements.push_back(std::move(element));
    names_.clear();
    return true;
  }

  static bool parse_count(std::string_view digits, std::uint64_t& count) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    return error == std::errc() && end == digits.data() + digits.size();
  }

  // "comment firn mesh NAME COUNT"; a mesh need not have a name.
  bool parse_mesh_note(const std::vector<std::string_view>& words) {
    PlyMeshNote note;
    if (words.size() > 5 || words.size() < 4 || !parse_count(words.back(), note.faces))
      return fail("a comment on a mesh needs its name and the number of its faces");
    if (words.size() == 5) note.name = decode(words[3]);
    header_.meshes.push_back(std::move(note));
    return true;
  }

  bool parse_property(const std::vector<std::string_view>& words) {
    if (header_.elements.empty()) return fail("a property before any element");
    PlyProperty property;
    property.is_list = words.size() > 1 && words[1] == "list";
    if (words.size() != (property.is_list ? 5u : 3u)) return fail("malformed property line");
    const auto type = type_named(words[words.size() - 2]);
    const auto count_type = property.is_list ? type_named(words[2]) : PlyType::uint8;
    if (!type || !count_type) return fail("unknown property type in " + quoted_word(words.back()));
    if (!is_integer(*count_type)) return fail("a list counts its items with an integer type");
    property.type = *type;
    property.count_type = *count_type;
    property.name = words.back();
    if (!names_.insert(property.name).second)
      return fail("property " + quoted_word(property.name) + " appears twice");
    header_.elements.back().properties.push_back(std::move(property));
    return true;
  }

  void parse_comment(const std::vector<std::string_view>& words) {
    if (words.size() < 2 || words[1] != "firn") return;
    for (std::size_t i = 2; i < words.size(); ++i) {
      const std::size_t equals = words[i].find('=');
      if (equals != std::string_view::npos)
        header_.metadata[decode(words[i].substr(0, equals))] = decode(words[i].substr(equals + 1));
    }
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::size_t line_number_ = 0;
  std::string reason_;
  std::set<std::string> names_;  // properties of the current element
  PlyHeader header_;
};

}  // namespace

std::size_t size_of(PlyType type) {
  switch (type) {
    case PlyType::int8:
    case PlyType::uint8:
      return 1;
    case PlyType::int16:
    case PlyType::uint16:
      return 2;
    case PlyType::float64:
      return 8;
    default:
      return 4;
  }
}

bool is_integer(PlyType type) {
  return type != PlyType::float32 && type != PlyType::float64;
}

Result<PlyHeader> parse_ply_header(std::string_view bytes, const std::string& name) {
  HeaderParser parser(bytes);
  if (!parser.run()) return Result<PlyHeader>::failure(name + ": " + parser.located_reason());
  return std::move(parser.header());
}

std::string metadata_comment(const std::map<std::string, std::string>& metadata) {
  std::string line = "comment firn";
  for (const auto& [key, value] : metadata)
    line.append(" ").append(encode(key)).append("=").append(encode(value));
  return line;
}

std::string mesh_comment(const PlyMeshNote& note) {
  return "comment firn mesh " + encode(note.name) + " " + std::to_string(note.faces);
}

}  // namespace firn
