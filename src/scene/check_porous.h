// Species and what acts between them.
#pragma once

#include "scene/check_tools.h"

namespace firn {

// Pairs of species that there are, each once; a section where there are several species.
void check_porous(const SceneSettings& scene, Issues& issues);

}  // namespace firn
