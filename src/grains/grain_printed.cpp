// GRAIN 40 to 43 as printed: obstacles are neighbours like particles, and nothing else keeps grains
// out of them.
#include <algorithm>

#include "grains/grain_cell_work.h"
#include "grains/grain_walls.h"

namespace firn {
namespace {

// Adds an obstacle at its distance, with the velocity that it has there. Returns 1 less the part of
// gravity's direction that points to it, 0 to 1: what is left of the share of free flight.
template <int D>
float add_obstacle(FlowSums<float, D>& sums, const Collider& c, const Vec3d& x, double inverse2,
                   float cells, const Vec<float, D>& gravity) {
  const DistanceAndNormal d = distance_to(c, x);
  const double distance = std::max(d.distance, 0.0);
  const auto w = static_cast<float>(grain_weight(distance * distance, inverse2));
  if (!(w > 0)) return 1;
  const Vec3d v = velocity_at(c, x, d.normal);
  sums.weight += w;
  sums.largest = std::max(sums.largest, w);
  float down = 0, size2 = 0;
  for (int a = 0; a < D; ++a) {
    sums.way[a] += w * float(v[a]) * cells;
    down -= gravity[a] * float(d.normal[a]);
    size2 += gravity[a] * gravity[a];
  }
  return size2 > 0 ? 1 - clamp(down / sqrt_of(size2), 0.0f, 1.0f) : 1;
}

}  // namespace

template <int D>
void GrainCloud<D>::update_part_as_printed(const PartStep& step, std::uint32_t begin,
                                           std::uint32_t end, CellWork& work) {
  const float speed = float(cell_ / step.dt), cells = float(step.dt / cell_);
  const double support = settings_.support / 2 * spacing_;  // m
  const float at_radius = grain_weight(1.0f, float(1 / square(settings_.support)));
  const std::vector<Collider>& colliders = step.around.obstacles->all();
  for (std::uint32_t i = begin; i < end; ++i) {
    const Vec<float, D> place = grains_.place_of(i);
    FlowSums<float, D> sums;
    for (const FlowNode<D>& node : work.around) add_mean_flow(sums, node, place);
    float factor = 1;
    for (const int k : work.block_walls)
      factor = std::min(factor, add_obstacle(sums, colliders[k], world(work.block, place),
                                             1 / square(support), cells, work.flight.gravity));
    Vec<float, D> velocity;
    for (int a = 0; a < D; ++a) velocity[a] = grains_.velocity[a][i];
    const float share = factor * printed_share(sums.largest, sums.weight, at_radius);
    velocity = blended_velocity(mean_way(sums), speed, fly(velocity, work.flight), share);
    for (int a = 0; a < D; ++a) {
      grains_.place[a][i] += velocity[a] * cells;
      grains_.velocity[a][i] = velocity[a];
    }
    work.fastest = std::max(work.fastest, sqrt_of(dot(velocity, velocity)));
  }
}

#define FIRN_INSTANTIATE(D)                                                           \
  template void GrainCloud<D>::update_part_as_printed(const PartStep&, std::uint32_t, \
                                                      std::uint32_t, CellWork&);
FIRN_INSTANTIATE(2)
FIRN_INSTANTIATE(3)

}  // namespace firn
