// The particles that grains follow, at a moment, and their ways between two of them.
#pragma once

#include <cstdint>
#include <vector>

#include "particles/nearest_image.h"

namespace firn {

template <int D>
struct CoarsePoint {
  Vec<double, D> position;
  Vec<float, D> velocity;
  float spacing;
};

// In ascending order of ids.
template <int D>
struct CoarseState {
  double time = 0;  // s
  std::vector<std::uint64_t> id;
  std::vector<Vec<double, D>> position;  // m
  std::vector<Vec<float, D>> velocity;   // m/s
  std::vector<float> spacing;            // m: edge of a cube of its volume
  std::vector<float> mass;               // kg
  std::vector<std::uint32_t> paint;      // what its grains look like

  std::size_t size() const { return id.size(); }
  CoarsePoint<D> point(std::size_t i) const { return {position[i], velocity[i], spacing[i]}; }
};

template <int D>
struct CoarseWay {
  Vec<double, D> from;  // cells
  Vec<double, D> way;   // cells
  float spacing;        // cells
};

// Of a particle that was there at one of the two moments only.
template <int D>
FIRN_INLINE CoarseWay<D> way_at_velocity(const CoarsePoint<D>& point, double dt, double cell,
                                         bool ends_here) {
  CoarseWay<D> way;
  for (int a = 0; a < D; ++a) {
    way.way[a] = double(point.velocity[a]) * dt / cell;
    way.from[a] = point.position[a] / cell - (ends_here ? way.way[a] : 0);
  }
  way.spacing = float(double(point.spacing) / cell);
  return way;
}
template <int D>
FIRN_INLINE CoarseWay<D> way_between(const CoarsePoint<D>& from, const Vec<double, D>& to,
                                     double cell, const BlockPeriod* periods) {
  Vec3d distance{{0, 0, 0}};
  for (int a = 0; a < D; ++a) distance[a] = to[a] - from.position[a];
  distance = nearest_image<D>(periods, cell, distance);
  CoarseWay<D> way;
  for (int a = 0; a < D; ++a) {
    way.from[a] = from.position[a] / cell;
    way.way[a] = distance[a] / cell;
  }
  way.spacing = float(double(from.spacing) / cell);
  return way;
}

// Straight ways by id. What has come or gone in between is taken to have moved at its velocity.
// `fresh`: the numbers, in `to`, of those that came.
template <int D>
std::vector<CoarseWay<D>> coarse_ways(const CoarseState<D>& from, const CoarseState<D>& to,
                                      double cell,
                                      const typename BlockTopology<D>::Periods& periods,
                                      std::vector<std::uint32_t>& fresh);

}  // namespace firn
