// Volume maps (GRAIN 5.11): how much of a kernel an obstacle of any shape holds. They say it as the
// distance at which a flat wall would hold as much, which is smooth, little else than the distance
// itself where a surface is flat, and kept in samples as distances are.
#pragma once

#include <memory>
#include <vector>

#include "collision/collider_set.h"
#include "sph/wall_share.h"

namespace firn {

// Of one obstacle, in the frame of the body at rest. Without samples, for flat ones and those that
// change their shape or size, its distance stands for it.
struct WallMap {
  DistanceFieldView field{};
  bool inside = false;  // the map is that of the complement
};

// The flat wall that holds as much: how far away, m, and the gradient of that in the world. In the
// corners of a body it leads away from all its sides at once, other than the normal.
struct FlatWall {
  double distance;
  Vec3d gradient;
};

// `d`: distance and normal of the obstacle at x.
FIRN_HD inline FlatWall flat_wall_of(const WallMap& map, const Collider& c, const Vec3d& x,
                                     const DistanceAndNormal& d) {
  const bool as_sampled = !c.moves || c.now.scale == 1;
  if (!map.field.corners || !as_sampled) return {d.distance, d.normal};
  const Vec3d q = c.moves ? c.now.to_body(x) : x;
  for (int a = 0; a < map.field.dimension; ++a) {
    const double from_corner = q[a] - map.field.origin[a];
    if (!(from_corner > 0 && from_corner < map.field.spacing * kFieldBlock * map.field.blocks[a]))
      return {d.distance, d.normal};
  }
  const DistanceAndNormal found = detail::field_inside_box(map.field, q);
  const Vec3d gradient = found.normal * ((map.inside ? -1 : 1) / map.field.spacing);
  return {map.inside ? -found.distance : found.distance,
          c.moves ? c.now.rotation * gradient : gradient};
}

class WallMaps {
 public:
  WallMaps() = default;
  // `cell`: the reach of the kernel, m.
  template <int D>
  static WallMaps of(const ColliderSet& obstacles, SmoothingKind kernel, double cell);

  const std::vector<WallMap>& all() const { return maps_; }  // by collider
  std::size_t bytes() const;

 private:
  std::vector<WallMap> maps_;
  std::vector<std::shared_ptr<const DistanceField>> fields_;
};

}  // namespace firn
