// Probes of a scene in the state of its particles; the same bits for any number of threads.
#pragma once

#include <vector>

#include "mpm/state.h"
#include "scene/settings.h"
#include "sim/probe_reading.h"

namespace firn {

template <class T, int D>
std::vector<ProbeReading> read_probes(const SceneSettings& scene, const MpmState<T, D>& state);

}  // namespace firn
