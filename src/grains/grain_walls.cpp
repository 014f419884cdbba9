#include "grains/grain_walls.h"

#include <cmath>

namespace firn {

void colliders_near(const std::vector<Collider>& colliders, int species, const Vec3d& center,
                    double reach, double advance, std::vector<int>& near) {
  near.clear();
  for (std::size_t i = 0; i < colliders.size(); ++i)
    if (is_within(colliders[i], species, center, reach, advance)) near.push_back(int(i));
}

Vec3d start_outside(const std::vector<Collider>& colliders, const std::vector<int>& near,
                    const Vec3d& particle, const Vec3d& place, double cell) {
  const double gap = 2 * kSurfaceGap * cell;
  const auto is_out = [&](const Vec3d& x) {
    for (const int k : near)
      if (distance_to(colliders[k], x).distance < gap) return false;
    return true;
  };
  Vec3d x = place;
  for (int round = 0; round < 3 && !is_out(x); ++round)
    for (const int k : near) {
      const DistanceAndNormal d = distance_to(colliders[k], x);
      if (d.distance < gap) x += d.normal * (2 * gap - 2 * std::min(d.distance, 0.0));
    }
  for (int round = 0; round < 4 && !is_out(x); ++round) x = (x + particle) * 0.5;
  return is_out(x) ? x : particle;
}

}  // namespace firn
