// Several grains at once, each a lane, and boxes around them.
#pragma once

#include <algorithm>

#include "grains/grain_columns.h"
#include "grains/grain_rules.h"

namespace firn {

inline constexpr int kGrainLanes = FIRN_REGISTER_BYTES / 4;
using GrainLanes = Simd<float, kGrainLanes>;

inline GrainLanes lane_numbers() {
  GrainLanes r(0);
  for (int i = 0; i < kGrainLanes; ++i) r.set(i, float(i));
  return r;
}

// A box along the axes, in cells.
template <int D>
struct CellBox {
  Vec<float, D> low, high;

  GrainLanes distance2(const Vec<GrainLanes, D>& place) const {
    GrainLanes sum(0);
    for (int a = 0; a < D; ++a)
      sum += square(max_of(max_of(GrainLanes(low[a]) - place[a], place[a] - GrainLanes(high[a])),
                           GrainLanes(0)));
    return sum;
  }
  Vec<float, D> center() const { return (low + high) * 0.5f; }
  float radius() const {
    const Vec<float, D> half = (high - low) * 0.5f;
    return sqrt_of(dot(half, half));
  }
};

template <int D>
CellBox<D> box_of(const GrainColumns<D>& grains, std::uint32_t begin, std::uint32_t end) {
  CellBox<D> box;
  for (int a = 0; a < D; ++a) {
    const float* place = grains.place[a].data();
    GrainLanes low(place[begin]), high(place[begin]);
    for (std::uint32_t i = begin; i < end; i += kGrainLanes) {
      const GrainLanes x = GrainLanes::load(place + i, static_cast<int>(std::min(end - i, 64u)));
      low = min_of(low, x);
      high = max_of(high, x);
    }
    box.low[a] = -max_lane(-low);
    box.high[a] = max_lane(high);
  }
  return box;
}

template <int D>
Vec<GrainLanes, D> load_lanes(const Buffer<float> (&columns)[D], std::uint32_t i, int n) {
  Vec<GrainLanes, D> r;
  for (int a = 0; a < D; ++a) r[a] = GrainLanes::load(columns[a].data() + i, n);
  return r;
}
template <int D>
void store_lanes(const Vec<GrainLanes, D>& x, Buffer<float> (&columns)[D], std::uint32_t i, int n) {
  for (int a = 0; a < D; ++a) x[a].store(columns[a].data() + i, n);
}

}  // namespace firn
