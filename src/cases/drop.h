// The drop: a box of eight particles a cell falls at 1 m/s onto a floor, in cells of 1/256 m. The
// scene that GPU codes are compared by.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "scene/settings.h"

namespace firn {

std::vector<std::string> drop_case_names();  // drop_sand, drop_fixed_corotated, drop_fluid

// Twice as wide and deep as high, with about so many particles. Fails on another name.
Result<SceneSettings> drop_scene(const std::string& case_name, std::int64_t particles);

}  // namespace firn
