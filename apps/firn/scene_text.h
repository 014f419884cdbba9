// What is in a scene, as lines for people.
#pragma once

#include <string>
#include <vector>

#include "scene/initial_particles.h"

namespace firn::cli {

// How many particles an emitter makes in the whole run, if it never lacks room.
double emitted_particles(const SceneSettings& scene, std::size_t emitter);

std::string object_lines(const SceneSettings& scene, const std::vector<ObjectParticles>& objects);
std::string emitter_lines(const SceneSettings& scene);
// Of the solver of meshed solids, with meshes made; "" of others.
std::string cell_lines(const SceneSettings& scene);
// Colliders, transitions, sinks and probes, those that there are.
std::string surroundings_lines(const SceneSettings& scene);

}  // namespace firn::cli
