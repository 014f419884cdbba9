// Files of cells that objects of the solver fem refer to.
#pragma once

#include <functional>
#include <string>

#include "scene/settings.h"

namespace firn {

// Gives the cells of each file to the objects that name it; each file is read once. What is wrong
// goes to `fail(pointer, what)`; warnings are added to the scene.
void load_object_cells(SceneSettings& scene,
                       const std::function<void(const std::string&, const std::string&)>& fail);

}  // namespace firn
