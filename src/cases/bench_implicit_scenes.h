// Scenes by which implicit steps are timed.
#pragma once

#include <vector>

#include "cases/bench.h"
#include "scene/settings.h"

namespace firn {

// Cells across a ball of so many particles.
double cells_across(const BenchOptions& options);

// A ball of fixed_corotated matter, a metre across, falls on the floor at 5 m/s for four frames.
SceneSettings falling_ball(double cells, double youngs_modulus, double friction,
                           const BenchOptions& options);

// Soft and stiff, solid and flowing: `auto` has to choose.
std::vector<SceneSettings> scenes_of_choice(double cells, const BenchOptions& options);

// Snow as SNOW has it falls on the floor, in steps of a millisecond.
SceneSettings falling_snow(double cells, const BenchOptions& options);

// A ball is shot through a sponge that is held at both ends (OPT, figure 1.6).
SceneSettings shot_sponge(double cells, const BenchOptions& options);

}  // namespace firn
