#include "scene_io/handbook_table.h"

#include <fmt/format.h>

#include <cmath>

namespace firn {
namespace {

// The largest bound worth showing: beyond it are the limits of integers.
constexpr double kUnbounded = 9e18;

bool is_type(const Json& schema, const char* type) {
  return schema.contains("type") && schema["type"] == type;
}

// Lists of two or three numbers are vectors.
bool is_vector(const Json& schema) {
  return is_type(schema, "array") && schema.contains("maxItems") && schema["maxItems"] == 3;
}

bool varies(const Json& schema) {
  return schema.contains("oneOf") && schema["oneOf"].size() == 2 &&
         is_type(schema["oneOf"][0], "number") && is_type(schema["oneOf"][1], "string") &&
         !schema["oneOf"][1].contains("pattern");
}

std::string plain_type(const Json& schema) {
  if (schema.contains("enum")) return "word";
  if (schema.contains("anyOf")) return "word or name";
  if (schema.contains("pattern"))
    return schema["pattern"].get<std::string>()[1] == '#' ? "colour" : "name";
  if (is_type(schema, "boolean")) return "true or false";
  if (is_type(schema, "string")) return "text";
  return schema.contains("type") && schema["type"].is_string() ? schema["type"] : "value";
}

std::string value_type(const Json& schema) {
  if (varies(schema)) return "number or expression";
  if (is_vector(schema))
    return varies(schema["items"]) ? "vector of numbers or expressions" : "vector";
  if (is_type(schema, "array")) {
    if (is_type(schema["items"], "number")) return "two numbers";
    return schema["items"].contains("anyOf") ? "list of words or names"
                                             : "list of " + plain_type(schema["items"]) + "s";
  }
  if (schema.contains("oneOf") && !schema.contains("type")) {
    if (plain_type(schema["oneOf"][0]) == "colour") return "colour";
    std::string text;
    for (const Json& choice : schema["oneOf"])
      text += (text.empty() ? "" : ", or ") +
              (is_type(choice, "object") ? std::string("axis and angle") : value_type(choice));
    return text;
  }
  if (is_type(schema, "object")) return "named numbers or expressions";
  return plain_type(schema);
}

// A word, or an object that has it as its type.
bool is_typed(const Json& member) {
  return member.contains("oneOf") && member["oneOf"].size() == 2 &&
         member["oneOf"][0].contains("enum") && is_type(member["oneOf"][1], "object");
}

std::string type_text(const Json& member, const SectionOf& section_of) {
  const Json* object = object_below(member);
  if (object == nullptr) return value_type(member);
  if (is_typed(member)) return "word or " + link_to("object", section_of(*object));
  const char* words =
      is_type(member, "array") ? "list of objects"
      : member.contains("additionalProperties") && member["additionalProperties"].is_object()
          ? "named objects"
          : "object";
  return link_to(words, section_of(*object));
}

// 2.0 as 2, 1e13 as 1e+13
std::string value_text(const Json& value) {
  if (value.is_array()) {
    std::string text;
    for (const Json& entry : value) text += (text.empty() ? "" : ", ") + value_text(entry);
    return "[" + text + "]";
  }
  return value.is_number_float() ? fmt::format("{:.10g}", value.get<double>()) : value.dump();
}

// The schema whose range or words hold for the value or each of its components.
const Json& innermost(const Json& schema) {
  if (schema.contains("items")) return innermost(schema["items"]);
  for (const char* key : {"oneOf", "anyOf"})
    if (schema.contains(key)) return innermost(schema[key][0]);
  return schema;
}

std::string range_text(const Json& member) {
  const Json& schema = innermost(member);
  if (schema.contains("enum")) return word_list(schema["enum"]);
  std::string text;
  const auto bound = [&](const char* key, const char* sign) {
    if (schema.contains(key) && std::abs(schema[key].get<double>()) < kUnbounded)
      text += (text.empty() ? "" : ", ") + (sign + (" " + value_text(schema[key])));
  };
  bound("minimum", "≥");
  bound("exclusiveMinimum", ">");
  bound("maximum", "≤");
  bound("exclusiveMaximum", "<");
  return text;
}

std::string in_cell(const std::string& text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return cell;
}

std::string meaning_text(const Json& member, const std::string& unit) {
  std::string text = member.value("description", "");
  const std::string shown = " (" + unit + ")";
  const std::size_t at = text.find(shown);
  if (!unit.empty() && at != std::string::npos) text.erase(at, shown.size());
  return in_cell(text);
}

}  // namespace

std::string anchor_of(const std::string& heading) {
  std::string anchor;
  for (const char c : heading) {
    if (c == ' ') anchor += '-';
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-') anchor += c;
    if (c >= 'A' && c <= 'Z') anchor += static_cast<char>(c - 'A' + 'a');
  }
  return anchor;
}

std::string link_to(const std::string& words, const std::string& heading) {
  return "[" + words + "](#" + anchor_of(heading) + ")";
}

std::string word_list(const Json& words) {
  std::string text;
  for (const Json& word : words) text += (text.empty() ? "`" : ", `") + word.dump() + "`";
  return text;
}

const Json* object_below(const Json& member) {
  if (member.contains("$ref") || member.contains("properties")) return &member;
  if (member.contains("oneOf") && member.contains("type")) return &member;
  if (is_typed(member)) return &member["oneOf"][1];
  if (member.contains("items")) return object_below(member["items"]);
  if (member.contains("additionalProperties") && member["additionalProperties"].is_object())
    return object_below(member["additionalProperties"]);
  return nullptr;
}

std::string table_row(const std::string& key, const Json& member, const std::string& needed,
                      const SectionOf& section_of) {
  const std::string unit = member.value("unit", "");
  const bool has_range = object_below(member) == nullptr || is_typed(member);
  const std::string range = has_range ? range_text(member) : "";
  std::string start = needed;
  if (start.empty() && member.contains("default"))
    start = "`" + in_cell(value_text(member["default"])) + "`";
  return "| `" + key + "` | " + type_text(member, section_of) + " | " + unit +
         (unit.empty() || range.empty() ? "" : ", ") + range + " | " + start + " | " +
         meaning_text(member, unit) + " |\n";
}

}  // namespace firn
