// Colliders in their places at a moment.
#pragma once

#include <vector>

#include "scene/settings.h"

namespace firn {

Shape collider_at(const ColliderSettings& collider, int dimension, double time);

// Those that pictures show.
std::vector<Shape> shown_colliders(const SceneSettings& scene, double time);

}  // namespace firn
