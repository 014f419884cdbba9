// Frames for Houdini, partio and splashsurf: the classic binary layout "BgeoV", version 5, all
// numbers big-endian. A header of counts, the definitions of the point attributes, then for each
// point x y z 1 and its attributes in 32 bits each; then the triangles of meshes as closed
// polygons.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "particles/frame.h"

namespace firn {

// Attributes have Houdini's names: v (vx vy vz), Cd (red green blue, 0 to 1), pscale (the radius of
// a ball, in 2D of a disc, of the particle's volume). Further columns keep their own.
Result<std::filesystem::path> write_bgeo(const std::filesystem::path& path, const Frame& frame);

}  // namespace firn
