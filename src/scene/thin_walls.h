// Walls that the grid cannot see: a collider thinner than a cell may have no node inside.
#pragma once

#include <string>

#include "scene/settings.h"

namespace firn {

// Share of the surface of a solid below which it is thinner than `thickness`, 0 to 1; 0 for what
// has no end.
double thin_share(const Shape& solid, double thickness);

// What to know about a collider whose walls are thinner than a grid cell, at the start; "" when
// they are not.
std::string thin_wall_warning(const SceneSettings& scene, const ColliderSettings& collider);

}  // namespace firn
