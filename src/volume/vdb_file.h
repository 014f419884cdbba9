// OpenVDB files. The only room that names OpenVDB, whose headers take minutes to compile.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "surface/fog.h"
#include "surface/level_set.h"

namespace firn {

struct VdbFrame {
  std::string scene;
  std::int64_t frame = 0;
  double time = 0;  // s
};

// Grids "density" (fog, kg/m^3), "vel" (m/s) and "surface" (level set, which must hold signed
// distances), by the names that Houdini and Blender look for: the bytes of the file.
Result<std::string> vdb_bytes(const Fog& fog, const LevelSet& surface, const VdbFrame& frame);

}  // namespace firn
