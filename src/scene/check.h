// Checks of a scene beyond the types of its values. Everything is estimated before anything large
// is allocated.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "scene/settings.h"

namespace firn {

struct SceneIssue {
  std::string pointer;  // JSON pointer into the scene file
  std::string what;
  bool warning = false;
};

// Names and probabilities: duplicates, fields that the model does not have, colours of no weight,
// directions of no length.
std::vector<SceneIssue> check_names(const SceneSettings& scene);

// Particle counts against the memory of the machine, sizes against the grid, places against the
// colliders. For scenes without errors so far and with defaults filled in.
std::vector<SceneIssue> check_scene(const SceneSettings& scene);
std::vector<SceneIssue> check_scene(const SceneSettings& scene, double memory_bytes);

// Number of particles that sampling aims at; may be infinite.
double estimated_particles(const SceneSettings& scene, const ObjectSettings& object);
double estimated_particles(const SceneSettings& scene);

// What a run needs per particle, grid and buffers included.
double bytes_per_particle();

// Memory of this machine, bytes.
double machine_memory();

}  // namespace firn
