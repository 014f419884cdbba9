// The particles that grains follow, at a moment, and their ways between two of them.
#pragma once

#include <cstdint>
#include <vector>

#include "particles/blocks.h"

namespace firn {

// In ascending order of ids.
template <int D>
struct CoarseState {
  double time = 0;  // s
  std::vector<std::uint64_t> id;
  std::vector<Vec<double, D>> position;  // m
  std::vector<Vec<float, D>> velocity;   // m/s
  std::vector<float> spacing;            // m: edge of a cube of its volume
  std::vector<std::uint32_t> paint;      // what its grains look like

  std::size_t size() const { return id.size(); }
};

template <int D>
struct CoarseWay {
  Vec<double, D> from;  // cells
  Vec<double, D> way;   // cells
  float spacing;        // cells
};

// Straight ways by id. What has come or gone in between is taken to have moved at its velocity.
// `fresh`: the numbers, in `to`, of those that came.
template <int D>
std::vector<CoarseWay<D>> coarse_ways(const CoarseState<D>& from, const CoarseState<D>& to,
                                      double cell,
                                      const typename BlockTopology<D>::Periods& periods,
                                      std::vector<std::uint32_t>& fresh);

}  // namespace firn
