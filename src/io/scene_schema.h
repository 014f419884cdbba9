// The JSON Schema of scene files, made from the same description that reads and writes them.
#pragma once

#include <string>

namespace firn {

// The text of scenes/schema.json (JSON Schema 2020-12).
std::string scene_schema();

// The same as plain lines for people: one key a line, with unit, range, default and meaning.
std::string scene_help();

}  // namespace firn
