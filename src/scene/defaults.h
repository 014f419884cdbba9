// Defaults that depend on other settings.
#pragma once

#include "scene/settings.h"

namespace firn {

// Gives every object what its file left open: a name, a density (the preset's, else the model's),
// particles per cell and a colour. Idempotent.
void fill_defaults(SceneSettings& scene);

// Mean distance of an object's particles, m.
double particle_spacing(const SceneSettings& scene, const ObjectSettings& object);

}  // namespace firn
