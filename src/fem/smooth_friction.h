// Coulomb's friction as a potential f s(r) of how far a contact has slid, r, with the force f
// given: s is smooth up to r = `still`, and a straight line from there on. A contact that bears
// less than f rests within `still` of its anchor, for ever.
#pragma once

#include <algorithm>

namespace firn {

struct SmoothFriction {
  double still = 1e-6;  // m

  double energy(double r) const {
    const double y = r / still;
    return r < still ? still * y * y * (1 - y / 3) : r - still / 3;
  }
  // s' / r and s''.
  double slope_over_way(double r) const { return r < still ? (2 - r / still) / still : 1 / r; }
  double second(double r) const { return r < still ? 2 * (1 - r / still) / still : 0; }
};

}  // namespace firn
