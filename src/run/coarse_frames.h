// Particles of frame files as grains follow them.
#pragma once

#include "base/result.h"
#include "frames/run_folder.h"
#include "grains/coarse_state.h"
#include "particles/point_table.h"
#include "scene/settings.h"

namespace firn {

// The particles of the species of the scene's section `grains`, in the order of their ids. An error
// where the frame lacks what grains need.
template <int D>
Result<CoarseState<D>> coarse_state_of(const PointTable& table, const SceneSettings& scene,
                                       double time, const std::string& name);

// Where the particles of `from` are a share of the way to `to`: on the cubic curve through both
// places with both velocities. Those that `to` lacks fly on; those that it has more come at its
// end.
template <int D>
CoarseState<D> between(const CoarseState<D>& from, const CoarseState<D>& to, double share,
                       const typename BlockTopology<D>::Periods& periods, double cell);

}  // namespace firn
