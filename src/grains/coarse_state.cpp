#include "grains/coarse_state.h"

#include "particles/nearest_image.h"

namespace firn {
namespace {

template <int D>
CoarseWay<D> way_at_velocity(const CoarseState<D>& state, std::size_t i, double dt, double cell,
                             bool ends_here) {
  CoarseWay<D> way;
  for (int a = 0; a < D; ++a) {
    way.way[a] = double(state.velocity[i][a]) * dt / cell;
    way.from[a] = state.position[i][a] / cell - (ends_here ? way.way[a] : 0);
  }
  way.spacing = float(state.spacing[i] / cell);
  return way;
}

template <int D>
CoarseWay<D> way_between(const CoarseState<D>& from, std::size_t i, const CoarseState<D>& to,
                         std::size_t j, double cell, const BlockPeriod* periods) {
  Vec3d distance{{0, 0, 0}};
  for (int a = 0; a < D; ++a) distance[a] = to.position[j][a] - from.position[i][a];
  distance = nearest_image<D>(periods, cell, distance);
  CoarseWay<D> way;
  for (int a = 0; a < D; ++a) {
    way.from[a] = from.position[i][a] / cell;
    way.way[a] = distance[a] / cell;
  }
  way.spacing = float(from.spacing[i] / cell);
  return way;
}

}  // namespace

template <int D>
std::vector<CoarseWay<D>> coarse_ways(const CoarseState<D>& from, const CoarseState<D>& to,
                                      double cell,
                                      const typename BlockTopology<D>::Periods& periods,
                                      std::vector<std::uint32_t>& fresh) {
  std::vector<CoarseWay<D>> ways;
  ways.reserve(to.size());
  fresh.clear();
  const double dt = to.time - from.time;
  std::size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    if (j == to.size() || (i < from.size() && from.id[i] < to.id[j])) {
      ways.push_back(way_at_velocity(from, i++, dt, cell, false));
    } else if (i == from.size() || to.id[j] < from.id[i]) {
      fresh.push_back(static_cast<std::uint32_t>(j));
      ways.push_back(way_at_velocity(to, j++, dt, cell, true));
    } else {
      ways.push_back(way_between(from, i++, to, j++, cell, periods.data()));
    }
  }
  return ways;
}

#define FIRN_INSTANTIATE(D)                                                                    \
  template std::vector<CoarseWay<D>> coarse_ways(const CoarseState<D>&, const CoarseState<D>&, \
                                                 double, const BlockTopology<D>::Periods&,     \
                                                 std::vector<std::uint32_t>&);
FIRN_INSTANTIATE(2)
FIRN_INSTANTIATE(3)

}  // namespace firn
