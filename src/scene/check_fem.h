// What the solver of meshed solids cannot obey, and keys that it alone knows.
#pragma once

#include "scene/check_tools.h"

namespace firn {

// Of a scene that asks for it.
void check_fem(const SceneSettings& scene, Issues& issues);

// Of all others: its keys are errors.
void check_keys_of_fem(const SceneSettings& scene, Issues& issues);

// Vertices against memory.
void check_fem_memory(const SceneSettings& scene, double memory_bytes, Issues& issues);

// Vertices that an object comes to, about; of a file as many as it says.
double estimated_vertices(const SceneSettings& scene, const ObjectSettings& object);

// What a run needs per vertex, cells and systems of equations included.
double bytes_per_vertex(const SceneSettings& scene);

}  // namespace firn
