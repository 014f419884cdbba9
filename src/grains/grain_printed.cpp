// GRAIN 40 to 43 as printed: obstacles are neighbours like particles, and nothing else keeps grains
// out of them.
#include <algorithm>

#include "grains/grain_cell_work.h"
#include "grains/grain_obstacle.h"
#include "grains/grain_walls.h"

namespace firn {
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
