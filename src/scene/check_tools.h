// What the checks of a scene share.
#pragma once

#include "scene/check.h"
#include "scene/line_text.h"

namespace firn {

using Issues = std::vector<SceneIssue>;

// JSON pointer to an entry of a list of the scene.
inline std::string at(const char* list, std::size_t index) {
  return std::string("/") + list + "/" + std::to_string(index);
}

}  // namespace firn
