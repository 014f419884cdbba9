// The initial MPM state of a scene: one particle set per material that is used.
#pragma once

#include "base/result.h"
#include "mpm/solver.h"
#include "scene/initial_particles.h"
#include "scene/settings.h"

namespace firn {

MpmSettings mpm_settings(const SceneSettings& scene);
ColliderSet runtime_colliders(const SceneSettings& scene);

// Empty sets with the right columns, one per material of the scene, in its order.
template <class T, int D>
std::vector<MaterialSet<T, D>> make_sets(const SceneSettings& scene);

// Those sets, the grid's periods and nothing in them.
template <class T, int D>
MpmState<T, D> empty_state(const SceneSettings& scene);

// Adds particles behind those of the set; their positions, which come with a sort, go to `world`.
template <class T, int D>
void append_object(const SceneSettings& scene, MaterialSet<T, D>& set, std::vector<Vec3d>& world,
                   const ObjectParticles& object);

template <class T, int D>
struct InitialState {
  MpmState<T, D> state;
  std::vector<bool> estimate_volume;  // per object
};

template <class T, int D>
Result<InitialState<T, D>> build_state(const SceneSettings& scene,
                                       std::vector<ObjectParticles> objects);

}  // namespace firn
