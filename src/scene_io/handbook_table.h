// One row of the handbook's tables: what may stand under a key.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scene_io/scene_document.h"

namespace firn {

// The heading of the section about an object of the file, given its schema.
using SectionOf = std::function<std::string(const Json& object)>;

// "objects: shape" becomes "objects-shape", as GitHub does.
std::string anchor_of(const std::string& heading);
std::string link_to(const std::string& words, const std::string& heading);

// `"box"`, `"rectangle"`
std::string word_list(const Json& words);

// The objects that stand under a key: its own, or the entries of its list or dictionary.
const Json* object_below(const Json& member);

// Where `needed` is not empty, the key must be given, and it says so.
std::string table_row(const std::string& key, const Json& member, const std::string& needed,
                      const SectionOf& section_of);

}  // namespace firn
