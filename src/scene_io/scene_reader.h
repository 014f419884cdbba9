// Scene files to settings, with every problem of a file reported at once, one line each:
//   FILE: /json/pointer: what is wrong; did you mean "x"?
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "scene/settings.h"

namespace firn {

// Overrides are "/json/pointer=value", as --set takes them.
Result<SceneSettings> read_scene(const std::string& path,
                                 const std::vector<std::string>& overrides = {});

// The same from text; `label` stands for the file's name in error lines.
Result<SceneSettings> parse_scene(std::string_view text, const std::string& label,
                                  const std::vector<std::string>& overrides = {});

// The text of a scene with one override applied.
Result<std::string> apply_override(std::string_view text, const std::string& setting);

}  // namespace firn
