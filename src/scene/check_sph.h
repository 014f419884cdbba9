// What granular SPH cannot obey, of a scene that asks for it.
#pragma once

#include "scene/check_tools.h"

namespace firn {

void check_sph(const SceneSettings& scene, Issues& issues);

}  // namespace firn
