#pragma once

#include "scene/check_tools.h"

namespace firn {

void check_transitions(const SceneSettings& scene, Issues& issues);

}  // namespace firn
