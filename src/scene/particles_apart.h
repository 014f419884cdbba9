// Particles at one place, which no force between particles parts.
#pragma once

#include "base/result.h"
#include "scene/initial_particles.h"

namespace firn {

// A line for each object some of whose particles lie where others do, its own or those of an object
// before it.
Errors coinciding_particles(const SceneSettings& scene, const std::vector<ObjectParticles>& all);

}  // namespace firn
