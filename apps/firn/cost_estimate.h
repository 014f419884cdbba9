// What a run would cost, found by running a little of it.
#pragma once

#include <vector>

#include "base/result.h"
#include "scene/initial_particles.h"
#include "sim/world.h"

namespace firn::cli {

struct CostEstimate {
  double first_dt = 0;        // s
  double steps = 0;           // of the whole run
  double particle_steps = 0;  // the same, each by the particles that there are
  double seconds = 0;         // of wall-clock time
};

// `world` is the scene at its start, and is used up. It may lack the particles of emitters, which
// `mouths` (null without any) then stands for.
Result<CostEstimate> estimate_cost(const SceneSettings& scene, World& world, World* mouths,
                                   Precision precision);

}  // namespace firn::cli
