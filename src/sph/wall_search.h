// The walls within reach of one particle, and how much of its kernel lies in them.
#pragma once

#include "collision/sweep.h"
#include "particles/blocks.h"
#include "sph/wall_contact.h"
#include "sph/wall_share.h"

namespace firn {

template <class T, int D>
struct FoundWalls {
  WallContact<T, D> of[kMostWalls];
  int count = 0;
  bool wrong = false;  // a surface says what cannot be

  // The nearest stay where there are too many.
  FIRN_HD void add(const WallContact<T, D>& wall) {
    if (count < kMostWalls) {
      of[count++] = wall;
      return;
    }
    int farthest = 0;
    for (int k = 1; k < kMostWalls; ++k)
      if (of[k].contact.phi > of[farthest].contact.phi) farthest = k;
    if (wall.contact.phi < of[farthest].contact.phi) of[farthest] = wall;
  }
  // Of all walls together, and each one's push.
  // `moment`: of sums over particles, which these must match (SphContext).
  FIRN_HD double share_room(const WallShare& table, double spacing, double moment) {
    double share[kMostWalls], slope[kMostWalls], left = 1;
    for (int k = 0; k < count; ++k) {
      const double cells = double(of[k].contact.phi) / spacing;
      const bool solid = of[k].contact.kind != ContactKind::pin;
      share[k] = solid ? table.at(cells) : 0;
      slope[k] = solid ? table.slope_at(cells) : 0;
      left *= 1 - share[k];
    }
    for (int k = 0; k < count; ++k) {
      double others = 1;
      for (int l = 0; l < count; ++l)
        if (l != k) others *= 1 - share[l];
      of[k].push = T(-2 * slope[k] * others / moment);
    }
    return 1 - left;
  }
};

// `near`: the numbers of those colliders that may be within reach of x, m.
template <class T, int D>
FIRN_HD inline FoundWalls<T, D> find_walls_of(const Collider* colliders, const int* near, int n,
                                              const Vec3d& x, int species, double spacing) {
  FoundWalls<T, D> found;
  for (int k = 0; k < n; ++k) {
    const Collider& collider = colliders[near[k]];
    const DistanceAndNormal d = distance_to(collider, x);
    if (!(d.distance < spacing) || !stops_species(collider, species)) continue;
    if (surface_is_wrong(collider, x, d.distance, spacing)) found.wrong = true;
    found.add({contact_at<T, D>(collider, x, d), T(0), near[k]});
  }
  return found;
}

// Whether particles of a block may touch a collider. `center` of the block, m.
template <int D>
FIRN_HD inline bool may_touch_block(const Collider& collider, const Vec3d& center, double spacing) {
  // Half a block, what particles may have drifted out of it, and the reach of a kernel.
  constexpr double kHalf = BlockShape<D>::kEdge / 2.0 + BlockShape<D>::kMargin;
  const double reach = (D == 3 ? 1.7320508075688772 : 1.4142135623730951) * kHalf + 1.5;
  return distance_to(collider, center).distance < reach * spacing * steepness(collider);
}

}  // namespace firn
