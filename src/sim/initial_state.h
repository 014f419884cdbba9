// The particles that a scene begins with: one set a material and species, sorted.
#pragma once

#include "base/result.h"
#include "scene/initial_particles.h"
#include "sim/solver_maker.h"

namespace firn {

// Empty sets with the columns of the plan, as scene/particle_sets.h says, and the grid's periods.
template <class T, int D>
Particles<T, D> empty_particles(const SceneSettings& scene, const ParticlePlan& plan);

// Adds particles behind those of their set; their positions, which come with a sort, go to `world`.
template <class T, int D>
void append_object(const ParticlePlan& plan, const ObjectParticles& object, Particles<T, D>& all,
                   std::vector<std::vector<Vec3d>>& world);

template <class T, int D>
struct InitialState {
  Particles<T, D> particles;
  std::vector<bool> estimate_volume;  // per object
};

template <class T, int D>
Result<InitialState<T, D>> build_initial_state(const SceneSettings& scene, const ParticlePlan& plan,
                                               std::vector<ObjectParticles> objects);

}  // namespace firn
