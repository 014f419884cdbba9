// OpenVDB files. The only room that names OpenVDB, whose headers take minutes to compile.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "surface/fog.h"
#include "surface/level_set.h"

namespace firn {

struct VdbFrame {
  std::string scene;
  std::int64_t frame = 0;
  double time = 0;  // s
};

// Grids "density" (fog, kg/m^3), "vel" (m/s) and "surface" (level set, which must hold signed
// distances), by the names that Houdini and Blender look for. Returns what went wrong, "" when
// nothing did. The file is written in place.
std::string write_vdb_file(const std::filesystem::path& path, const Fog& fog,
                           const LevelSet& surface, const VdbFrame& frame);

}  // namespace firn
