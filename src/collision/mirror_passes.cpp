#include "collision/mirror_passes.h"

#include <algorithm>

namespace firn {
namespace {

// Nodes behind a mirror and those that they follow, cells from the surface.
constexpr double kFarApart = 2 * (kMirrorReach + kMirrorFarthest) + 2;

// Opposite walls of a tank.
bool face_each_other(const Collider& a, const Collider& b, double h) {
  if (!is_fixed_plane(a) || !is_fixed_plane(b)) return false;
  const DistanceAndNormal one = plane_distance(a, b.shape.center);
  const DistanceAndNormal other = plane_distance(b, a.shape.center);
  return dot(one.normal, other.normal) < -1 + 1e-12 && one.distance > kFarApart * h;
}

bool may_share_nodes(const Collider& a, const Collider& b, double h) {
  if (face_each_other(a, b, h)) return false;
  for (const Collider* c : {&a, &b})
    if (c->shape.kind == ShapeKind::plane || c->shape.inside) return true;
  const Bounds one = bounding_box(a.shape), other = bounding_box(b.shape);
  for (int k = 0; k < a.shape.dimension; ++k)
    if (one.high[k] + kFarApart * h < other.low[k] || other.high[k] + kFarApart * h < one.low[k])
      return false;
  return true;
}

}  // namespace

std::vector<int> mirror_passes(const std::vector<Collider>& colliders, double h) {
  std::vector<int> passes(colliders.size(), -1);
  for (std::size_t c = 0; c < colliders.size(); ++c) {
    if (!is_mirror(colliders[c])) continue;
    std::vector<bool> taken(kMostMirrorPasses, false);
    for (std::size_t other = 0; other < c; ++other)
      if (passes[other] >= 0 && may_share_nodes(colliders[c], colliders[other], h))
        taken[passes[other]] = true;
    const auto free = std::find(taken.begin(), taken.end(), false);
    if (free != taken.end()) passes[c] = static_cast<int>(free - taken.begin());
  }
  return passes;
}

}  // namespace firn
