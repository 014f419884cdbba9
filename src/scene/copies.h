// All copies of an object's shape in their places.
#pragma once

#include <vector>

#include "base/result.h"
#include "scene/settings.h"

namespace firn {

// The shape of an object as its transform moves it: one copy, before repeat and scatter. Of an
// object that a mesh file gives, the box around it.
Shape single_shape(const SceneSettings& scene, const ObjectSettings& object);

// How many copies there are to be.
double copy_count(const SceneSettings& scene, const ObjectSettings& object);

// Fails where the region of a scattered object has no room.
Result<std::vector<Shape>> object_shapes(const SceneSettings& scene, std::size_t object);

}  // namespace firn
