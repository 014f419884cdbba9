// How much of a body starts inside solid colliders.
#pragma once

#include "scene/settings.h"

namespace firn {

struct ColliderOverlap {
  int collider = -1;  // the one that covers most of the body; -1: none touches it
  double share = 0;   // of its volume inside any solid, 0..1
};

// Measured on a coarse lattice of points, whatever the number of particles.
ColliderOverlap collider_overlap(const SceneSettings& scene, const std::vector<Shape>& shapes);

}  // namespace firn
