// Objects that start under their own weight: the elastic state of each particle is the one whose
// Cauchy stress balances gravity in a wide bed (docs/physics.md, "Initial stress").
#pragma once

#include "geometry/shape.h"
#include "scene/initial_particles.h"
#include "scene/settings.h"

namespace firn {

// What is wrong with the settings of an object's initial stress; "" when nothing is.
std::string initial_stress_problem(const SceneSettings& scene, const ObjectSettings& object);

// Gives the particles of the object, which fill its shapes, their elastic state. An object without
// initial stress is left as it is. Returns what is wrong, or "".
std::string set_initial_stress(const SceneSettings& scene, const ObjectSettings& object,
                               const std::vector<Shape>& shapes, ObjectParticles& particles);

}  // namespace firn
