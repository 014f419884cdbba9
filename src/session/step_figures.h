// What graphs show of the steps of a frame, whether it was computed just now or read from a run.
#pragma once

#include "session/series_history.h"
#include "sim/world.h"

namespace firn {

// Iterations a step and how exact they were, as far as the solver has such.
Figures solver_figures(const FrameStats& stats);
// Milliseconds a step of each stage, from seconds.
Figures stage_figures(const std::vector<std::pair<std::string, double>>& seconds, double steps);

}  // namespace firn
