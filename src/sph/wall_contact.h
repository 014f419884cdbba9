// One particle and the walls within reach of its kernel. Pressure pushes it off a wall as much as a
// mirror image behind the wall would; what pressure does not stop the surface itself does.
// Coulomb's friction is bounded by both (GRAIN 5.11, physics.md 43).
#pragma once

#include "collision/contact.h"

namespace firn {

template <class T, int D>
struct WallContact {
  Contact<T, D> contact;  // as the particle sees it when the step begins
  Vec<T, D> push;         // minus twice the gradient of the kernel's share in this wall, 1/cells
  int collider;
};

// Several walls share the room behind them: of the kernel 1 - (1 - a)(1 - b)... lies in them, which
// is exact for a right corner.
constexpr int kMostWalls = 8;

// Velocity of a particle with pressure p among n walls. `lightness`: m/s that a pressure of 1 Pa
// with a push of 1 gives in the step. change[k] becomes what number k did, where it is asked for.
template <class T, int D>
FIRN_HD inline Vec<T, D> meet_walls(const WallContact<T, D>* walls, int n, Vec<T, D> v, T p,
                                    T lightness, T dt, Vec<T, D>* change) {
  T normal[kMostWalls], used[kMostWalls];
  for (int k = 0; k < n; ++k) {
    const Vec<T, D> pushed = walls[k].push * (max_of(p, T(0)) * lightness);
    normal[k] = max_of(dot(pushed, walls[k].contact.normal), T(0));
    used[k] = 0;
    v += pushed;
    if (change) change[k] = pushed;
  }
  for (int round = 0; round < (n > 1 ? 2 : 1); ++round)
    for (int k = 0; k < n; ++k) {
      const Contact<T, D>& c = walls[k].contact;
      Vec<T, D> after = v;
      if (c.kind == ContactKind::pin) {
        if (c.phi <= 0) after = c.v_body;
      } else {
        Contact<T, D> like = c;
        if (c.kind == ContactKind::sticky) like.kind = ContactKind::separate;
        const NormalBounds<T> bounds = normal_bounds(like, dt);
        const Vec<T, D> relative = v - c.v_body;
        const T vn = dot(relative, c.normal), vn_after = clamp(vn, bounds.low, bounds.high);
        normal[k] += abs_of(vn_after - vn);
        Vec<T, D> along = relative - c.normal * vn;
        const T speed = sqrt_of(dot(along, along));
        const T bears = c.kind == ContactKind::sticky ? (normal[k] > 0 ? T(1e30) : T(0))
                                                      : c.friction * normal[k] - used[k];
        const T stopped = min_of(max_of(bears, T(0)), speed);
        used[k] += stopped;
        along = speed > stopped ? along * (T(1) - stopped / speed) : Vec<T, D>::zero();
        after = c.v_body + along + c.normal * vn_after;
      }
      if (change) change[k] += after - v;
      v = after;
    }
  return v;
}

}  // namespace firn
