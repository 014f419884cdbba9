#include "scene_io/scene_document.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_set>

namespace firn {
namespace {

struct LineColumn {
  std::size_t line = 1, column = 1;
};

LineColumn line_and_column(std::string_view text, std::size_t byte) {
  LineColumn r;
  for (std::size_t i = 0; i < std::min(byte, text.size()); ++i) {
    if (text[i] == '\n') {
      ++r.line;
      r.column = 1;
    } else {
      ++r.column;
    }
  }
  return r;
}

// Keeps the helpful half of the parser's message: "syntax error while parsing value - unexpected
// ...; last read: ...".
std::string syntax_reason(const std::string& message) {
  const std::size_t colon = message.find(": ");
  std::string reason = colon == std::string::npos ? message : message.substr(colon + 2);
  const std::size_t number = message.find("number overflow");
  if (number != std::string::npos) reason = "number too large; the limit is about 1.8e308";
  for (char& c : reason)
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';  // may be half of a character
  return printable(reason);
}

// Builds the document from parser events. Appends members without searching, so that huge
// objects stay linear in time; a set of keys per open object finds duplicates.
class DocumentBuilder : public nlohmann::json_sax<Json> {
 public:
  DocumentBuilder(std::string_view text, const std::string& label) : text_(text), label_(label) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t&) override { return false; }

  bool start_object(std::size_t) override { return open(Json::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    Level& level = levels_.back();
    level.key = value;
    if (!level.keys.insert(value).second)
      errors_.push_back(label_ + ": " + pointer() + ": given twice");
    return true;
  }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    const LineColumn at = line_and_column(text_, position > 0 ? position - 1 : 0);
    fail(label_ + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " +
         syntax_reason(error.what()));
    return false;
  }

  Result<Json> take() {
    if (!errors_.empty()) return std::move(errors_);
    return std::move(root_);
  }

 private:
  struct Level {
    Json* node;
    std::string key;
    std::unordered_set<std::string> keys;
  };

  // Of the key at hand; in lists on the way the entry it stands in is the last one so far.
  std::string pointer() const {
    std::string r;
    for (const Level& level : levels_)
      r += "/" + (level.node->is_object() ? pointer_piece(level.key)
                                          : std::to_string(level.node->size() - 1));
    return r;
  }
  void fail(std::string line) { errors_.push_back(std::move(line)); }

  bool add(Json&& value) { return place(std::move(value)) != nullptr; }

  Json* place(Json&& value) {
    if (++values_ > kMaxSceneValues) {
      fail(label_ + ": more than " + std::to_string(kMaxSceneValues) + " values");
      return nullptr;
    }
    if (levels_.empty()) return &(root_ = std::move(value));
    Level& level = levels_.back();
    if (level.node->is_array()) {
      level.node->get_ref<Json::array_t&>().push_back(std::move(value));
      return &level.node->back();
    }
    auto& members = level.node->get_ref<Json::object_t&>();
    members.emplace_back(level.key, std::move(value));
    return &members.back().second;
  }
  bool open(Json&& value) {
    if (levels_.size() >= kMaxSceneDepth) {
      fail(label_ + ": nested deeper than " + std::to_string(kMaxSceneDepth) + " levels");
      return false;
    }
    Json* node = place(std::move(value));
    if (node == nullptr) return false;
    levels_.push_back({node, {}, {}});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return true;
  }

  std::string_view text_;
  const std::string& label_;
  Json root_;
  std::vector<Level> levels_;
  std::size_t values_ = 0;
  Errors errors_;
};

bool array_index(const std::string& piece, std::size_t size, std::size_t& index) {
  if (piece == "-") {
    index = size;
    return true;
  }
  const auto [end, error] = std::from_chars(piece.data(), piece.data() + piece.size(), index);
  return error == std::errc() && end == piece.data() + piece.size() && index <= size;
}

// Splits a JSON pointer into unescaped keys; none when it does not start with '/'.
std::optional<std::vector<std::string>> split_pointer(std::string_view pointer) {
  if (pointer.empty() || pointer.front() != '/') return std::nullopt;
  std::vector<std::string> pieces;
  for (const char c : pointer) {
    if (c == '/')
      pieces.emplace_back();
    else if (!pieces.back().empty() && pieces.back().back() == '~' && (c == '0' || c == '1'))
      pieces.back().back() = c == '0' ? '~' : '/';
    else
      pieces.back() += c;
  }
  return pieces;
}

std::string compact(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json value_or_string(const std::string& text) {
  const Result<Json> parsed = parse_document(text, "");
  // Through text once more, so that bad UTF-8 never enters a document.
  return parsed.ok() ? *parsed : Json::parse(compact(Json(text)));
}

bool fits_on_a_line(const Json& json) {
  const auto plain = [](const Json& entry) { return !entry.is_structured() || entry.empty(); };
  return plain(json) || (json.is_array() && std::all_of(json.begin(), json.end(), plain));
}

void append_readable(const Json& json, const std::string& indent, std::string& out) {
  if (fits_on_a_line(json)) {
    if (!json.is_array()) {
      out += compact(json);
      return;
    }
    out += "[";
    for (std::size_t i = 0; i < json.size(); ++i) out += (i > 0 ? ", " : "") + compact(json[i]);
    out += "]";
    return;
  }
  const std::string inner = indent + "  ";
  const char* separator = json.is_array() ? "[\n" : "{\n";
  for (const auto& [key, member] : json.items()) {
    out += separator + inner;
    if (json.is_object()) out += compact(Json(key)) + ": ";
    append_readable(member, inner, out);
    separator = ",\n";
  }
  out += "\n" + indent + (json.is_array() ? "]" : "}");
}

}  // namespace

std::string readable(const Json& json) {
  std::string text;
  append_readable(json, "", text);
  return text + "\n";
}

Result<Json> parse_document(std::string_view text, const std::string& label) {
  if (text.size() > kMaxSceneBytes)
    return Result<Json>::failure(label + ": scene files may have at most " +
                                 std::to_string(kMaxSceneBytes >> 20) + " MiB");
  DocumentBuilder builder(text, label);
  Json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

std::string override_document(Json& document, const std::string& setting) {
  const std::size_t equals = setting.find('=');
  const std::string pointer = setting.substr(0, equals);
  const auto pieces = split_pointer(pointer);
  if (equals == std::string::npos || !pieces) return "expected /json/pointer=value";
  Json* node = &document;
  std::string path;
  for (std::size_t i = 0; i < pieces->size(); ++i) {
    const std::string& piece = (*pieces)[i];
    const bool last = i + 1 == pieces->size();
    std::size_t index = 0;
    // A word that stands for an object of that type becomes one; the reader refuses it elsewhere.
    if (node->is_string()) *node = Json{{"type", *node}};
    if (node->is_array()) {
      if (!array_index(piece, node->size(), index) || (!last && index == node->size()))
        return (path.empty() ? "/" : path) + " has " + std::to_string(node->size()) +
               " entries, no entry \"" + printable(piece) + "\"";
      if (index == node->size()) node->push_back(nullptr);
      node = &(*node)[index];
    } else if (node->is_object()) {
      // A section that the file leaves out comes into being; the reader refuses unknown ones.
      if (!last && !node->contains(piece)) (*node)[piece] = Json::object();
      node = &(*node)[piece];
    } else {
      return path + " is neither an object nor an array";
    }
    path += "/" + pointer_piece(piece);
  }
  *node = value_or_string(setting.substr(equals + 1));
  return "";
}

}  // namespace firn
