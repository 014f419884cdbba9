// The JSON text of a scene as a document: strict about what plain parsers let pass (duplicate
// keys, depth, size), and open to overrides by JSON pointer.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/result.h"
#include "scene/line_text.h"

namespace firn {

using Json = nlohmann::ordered_json;

inline constexpr std::size_t kMaxSceneBytes = 64u << 20;
inline constexpr std::size_t kMaxSceneValues = 4'000'000;
inline constexpr std::size_t kMaxSceneDepth = 64;

// Indented text with a final newline; lists of plain values stay on one line.
std::string readable(const Json& json);

// Errors read "label:line:column: ..." (syntax) or "label: /pointer: ..." (duplicate keys).
Result<Json> parse_document(std::string_view text, const std::string& label);

// Applies "/json/pointer=value", where value is JSON or else a plain string; gives what is wrong,
// or "". Missing sections (objects) on the way are created, list entries are not.
std::string override_document(Json& document, const std::string& setting);

}  // namespace firn
