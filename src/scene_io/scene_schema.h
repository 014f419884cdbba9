// What scene files may hold, made from the same description that reads and writes them.
#pragma once

#include <string>

namespace firn {

// The text of scenes/schema.json (JSON Schema 2020-12).
std::string scene_schema();

// The same as plain lines for people: one key a line, with unit, range, default and meaning.
std::string scene_help();

// The text of docs/scenes.md: an introduction, then a section with a table for each object.
std::string scene_handbook();

}  // namespace firn
