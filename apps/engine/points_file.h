// The points of a world as a PLY file, so that runs of the engine alone can be drawn elsewhere.
#pragma once

#include <string>

#include "base/result.h"
#include "sim/world.h"

namespace firn::engine {

// Places and colours. `firn render` takes it as a frame of a run.
Errors write_points(const World& world, const std::string& path);

}  // namespace firn::engine
