// Transitions of a scene, made ready for particles.
#pragma once

#include "particles/transitions.h"
#include "scene/settings.h"

namespace firn {

// Names that the condition of a transition may use: phi, x, y, z, t, speed, pressure, the scene's
// scalars and those of the model that particles have before (TransitionVariables).
std::vector<std::string> transition_variables(const SceneSettings& scene,
                                              const TransitionSettings& transition);

// One for each set that a transition of the scene takes particles from, in the order of its list.
Transitions scene_transitions(const SceneSettings& scene);

}  // namespace firn
