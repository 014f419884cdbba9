// Probes of a scene in the state of its particles; the same bits for any number of threads.
#pragma once

#include <vector>

#include "particles/particles.h"
#include "scene/settings.h"
#include "sim/probe_reading.h"

namespace firn {

template <class T, int D>
std::vector<ProbeReading> read_probes(const SceneSettings& scene, const Particles<T, D>& all);

}  // namespace firn
