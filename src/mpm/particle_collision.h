// MULTI step 9, off by default: particles meet obstacles as nodes do. It lets positions and
// deformation get out of step (MULTI 13).
#pragma once

#include "collision/collider.h"

namespace firn {

// A particle at x (m) with its stored position in cells.
template <class T, int D>
FIRN_HD inline void collide_particle(const Collider* colliders, const int* near, int n,
                                     const Vec3d& x, T dt, T inverse_h, Vec<T, D>& velocity,
                                     Vec<T, D>& position) {
  const Vec<T, D> after = apply_colliders<T, D>(colliders, near, n, x, velocity, dt);
  for (int a = 0; a < D; ++a) position[a] += dt * inverse_h * (after[a] - velocity[a]);
  velocity = after;
}

}  // namespace firn
