// The section `grains`.
#pragma once

#include "scene/check_tools.h"

namespace firn {

// A species that there is.
void check_grains(const SceneSettings& scene, Issues& issues);

// Memory and numbers for so many grains, of which there are the scene's particles times
// per_particle.
void check_grain_memory(const SceneSettings& scene, double memory_bytes, Issues& issues);

// Index into species_names() of the species shown.
int grain_species(const SceneSettings& scene);

// Of memory, at most.
double bytes_per_grain();

}  // namespace firn
