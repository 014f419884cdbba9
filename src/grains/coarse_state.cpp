#include "grains/coarse_state.h"

namespace firn {

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
      ways.push_back(way_at_velocity(from.point(i++), dt, cell, false));
    } else if (i == from.size() || to.id[j] < from.id[i]) {
      fresh.push_back(static_cast<std::uint32_t>(j));
      ways.push_back(way_at_velocity(to.point(j++), dt, cell, true));
    } else {
      ways.push_back(way_between(from.point(i++), to.position[j++], cell, periods.data()));
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
