// Checks of the objects of a scene, one by one.
#pragma once

#include "geometry/shape.h"
#include "scene/check_tools.h"

namespace firn {

// Fields that the material has, colours with some weight, an initial stress that can be.
void check_object_values(const SceneSettings& scene, std::size_t index, Issues& issues);

// All copies of an object, within the grid and large enough for particles; empty after an error.
std::vector<Shape> check_object_shapes(const SceneSettings& scene, std::size_t index,
                                       Issues& issues);

// Particles against memory.
void check_memory(const SceneSettings& scene, double memory_bytes, Issues& issues);

}  // namespace firn
