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
  double share[kMostWalls];  // of the kernel, as if each were alone
  int count = 0;
  bool wrong = false;  // a surface says what cannot be

  // The nearest stay where there are too many.
  FIRN_HD void add(const WallContact<T, D>& wall, double its_share) {
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
    share[to] = its_share;
  }
  // Of all walls together: each one pushes where the others leave room.
  FIRN_HD double share_room() {
    double left = 1;
    for (int k = 0; k < count; ++k) {
      double others = 1;
      for (int l = 0; l < count; ++l)
        if (l != k) others *= 1 - share[l];
      of[k].push = of[k].push * T(others);
      left *= 1 - share[k];
    }
    return 1 - left;
  }
};

// `near`: the numbers of those colliders that may be within reach of x, m. Pushes are those of each
// wall alone, as sums over particles have them.
template <class T, int D>
FIRN_HD inline void find_walls_of(const Collider* colliders, const WallMap* maps, const int* near,
                                  int n, const Vec3d& x, int species, const SphContext<T>& ctx,
                                  const WallShare& table, FoundWalls<T, D>& found) {
  for (int k = 0; k < n; ++k) {
    const Collider& collider = colliders[near[k]];
    const DistanceAndNormal d = distance_to(collider, x);
    if (!(d.distance < ctx.spacing) || !stops_species(collider, species)) continue;
    if (surface_is_wrong(collider, x, d.distance, ctx.spacing)) found.wrong = true;
    WallContact<T, D> wall{contact_at<T, D>(collider, x, d), Vec<T, D>::zero(), near[k]};
    double share = 0;
    if (wall.contact.kind != ContactKind::pin) {
      const FlatWall flat = flat_wall_of(maps[near[k]], collider, x, d);
      const double cells = flat.distance / ctx.spacing + ctx.wall_gap;
      share = table.at(cells);
      for (int a = 0; a < D; ++a)
        wall.push[a] = T(-2 * table.slope_at(cells) / ctx.moment * flat.gradient[a]);
    }
    found.add(wall, share);
  }
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
