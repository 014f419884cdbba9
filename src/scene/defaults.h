// Defaults that depend on other settings.
#pragma once

#include "scene/settings.h"

namespace firn {

// Gives every object and emitter what the file left open: a name, a density (the preset's, else the
// model's), particles per cell and a colour. Idempotent.
void fill_defaults(SceneSettings& scene);

// What the colours of the view and of the looks of particles need from frames: the quantities, and
// what tells whose a particle is.
std::vector<std::string> color_fields(const SceneSettings& scene);

// Mean distance of the particles of an object or emitter, m.
double particle_spacing(const SceneSettings& scene, const Sampling& sampling);
inline double particle_spacing(const SceneSettings& scene, const ObjectSettings& object) {
  return particle_spacing(scene, object.sampling);
}

}  // namespace firn
