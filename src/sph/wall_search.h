// The walls within reach of one particle, and how much of its kernel lies in them.
#pragma once

#include "collision/sweep.h"
#include "particles/blocks.h"
#include "sph/sph_view.h"
#include "sph/wall_map.h"

namespace firn {

template <class T, int D>
struct FoundWalls {
  WallContact<T, D> of[kMostWalls];
  FlatWall flat[kMostWalls];  // that stand for them
  int count = 0;
  bool wrong = false;  // a surface says what cannot be

  // The nearest stay where there are too many.
  FIRN_HD void add(const WallContact<T, D>& wall, const FlatWall& stands_for_it) {
    int to = count;
    if (count == kMostWalls) {
      to = 0;
      for (int k = 1; k < kMostWalls; ++k)
        if (of[k].contact.phi > of[to].contact.phi) to = k;
      if (!(wall.contact.phi < of[to].contact.phi)) return;
    } else {
      ++count;
    }
    of[to] = wall;
    flat[to] = stands_for_it;
  }
  // Of all walls together, and each one's push, as sums over particles have them.
  FIRN_HD double share_room(const WallShare& table, const SphContext<T>& ctx) {
    double share[kMostWalls], slope[kMostWalls], left = 1;
    for (int k = 0; k < count; ++k) {
      const double cells = flat[k].distance / ctx.spacing + ctx.wall_gap;
      const bool solid = of[k].contact.kind != ContactKind::pin;
      share[k] = solid ? table.at(cells) : 0;
      slope[k] = solid ? table.slope_at(cells) : 0;
      left *= 1 - share[k];
    }
    for (int k = 0; k < count; ++k) {
      double others = 1;
      for (int l = 0; l < count; ++l)
        if (l != k) others *= 1 - share[l];
      for (int a = 0; a < D; ++a)
        of[k].push[a] = T(-2 * slope[k] * others / ctx.moment * flat[k].gradient[a]);
    }
    return 1 - left;
  }
};

// `near`: the numbers of those colliders that may be within reach of x, m.
template <class T, int D>
FIRN_HD inline FoundWalls<T, D> find_walls_of(const Collider* colliders, const WallMap* maps,
                                              const int* near, int n, const Vec3d& x, int species,
                                              double spacing) {
  FoundWalls<T, D> found;
  for (int k = 0; k < n; ++k) {
    const Collider& collider = colliders[near[k]];
    const DistanceAndNormal d = distance_to(collider, x);
    if (!(d.distance < spacing) || !stops_species(collider, species)) continue;
    if (surface_is_wrong(collider, x, d.distance, spacing)) found.wrong = true;
    found.add({contact_at<T, D>(collider, x, d), Vec<T, D>::zero(), near[k]},
              flat_wall_of(maps[near[k]], collider, x, d));
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
