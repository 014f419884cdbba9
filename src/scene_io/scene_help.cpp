#include "scene_io/scene_description.h"
#include "scene_io/scene_schema.h"

namespace firn {
namespace {

std::string help_range_text(const Json& schema) {
  std::string text;
  const auto bound = [&](const char* key, const char* sign) {
    if (schema.contains(key)) text += std::string(" ") + sign + " " + schema[key].dump();
  };
  bound("minimum", ">=");
  bound("exclusiveMinimum", ">");
  bound("maximum", "<=");
  bound("exclusiveMaximum", "<");
  if (schema.contains("enum"))
    for (const Json& word : schema["enum"]) text += " " + word.dump();
  if (schema.contains("default")) text += "; default " + schema["default"].dump();
  return text.empty() ? "" : " [" + text.substr(text[0] == ';' ? 2 : 1) + "]";
}

void append_help(const Json& schema, const std::string& indent, std::string& out) {
  if (schema.contains("$ref")) {
    const std::string target = schema["$ref"];
    out += indent + "(a " + target.substr(target.rfind('/') + 1) + ", see the end)\n";
  }
  if (schema.contains("items")) append_help(schema["items"], indent, out);
  if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object())
    append_help(schema["additionalProperties"], indent, out);
  if (schema.contains("oneOf") && (schema.contains("type") || schema["oneOf"][0].contains("enum")))
    for (const Json& variant : schema["oneOf"]) append_help(variant, indent, out);
  if (!schema.contains("properties")) return;
  for (const auto& [key, member] : schema["properties"].items()) {
    out += indent + key + ": " + member.value("description", "") + help_range_text(member) + "\n";
    append_help(member, indent + "  ", out);
  }
}

}  // namespace

std::string scene_help() {
  const Json description = scene_description();
  std::string text;
  append_help(description, "", text);
  for (const auto& [name, definition] : description["$defs"].items()) {
    text += "\n" + name + ":\n";
    append_help(definition, "  ", text);
  }
  return text;
}

}  // namespace firn
