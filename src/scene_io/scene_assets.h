// Files that a scene refers to: meshes, pictures, points. Paths are relative to the scene file.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "mesh_io/field_cache.h"
#include "scene/settings.h"

namespace firn {

// Reads every file and gives its content to the shape that names it. What is wrong goes to
// `fail(pointer, what)`; warnings are added to the scene.
void load_assets(SceneSettings& scene,
                 const std::function<void(const std::string&, const std::string&)>& fail);

// From a mesh file's coordinates to those of the shape's field. The box is that of the file: a mesh
// of given longest extent is centred.
MeshPlacement mesh_placement(const ShapeSettings& shape, const Bounds& box);

// The same files, named relative to another folder: that of a run, which keeps a copy of the scene.
void rebase_files(SceneSettings& scene, const std::filesystem::path& folder);

}  // namespace firn
