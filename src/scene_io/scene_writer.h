// Settings back to the text of a scene file.
#pragma once

#include <string>

#include "scene/settings.h"

namespace firn {

// Every default filled in; reading the text gives the same settings, bit for bit.
std::string write_scene(const SceneSettings& scene);

}  // namespace firn
