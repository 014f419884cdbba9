// The colour that a mesh file gives its surface.
#pragma once

#include <filesystem>
#include <optional>

#include "base/vec.h"

namespace firn {

// sRGB, 0..1: the base colour of the first material that a glTF or GLB file uses. None for other
// files, and where the file says nothing.
std::optional<Vec3d> mesh_base_color(const std::filesystem::path& path);

}  // namespace firn
