// What the integrator of a scene cannot do.
#pragma once

#include "scene/check_tools.h"

namespace firn {

void check_integrator(const SceneSettings& scene, Issues& issues);

}  // namespace firn
