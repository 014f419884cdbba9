// How many grains lie around each particle, each counted with the particle's weight.
#include <algorithm>
#include <iterator>

#include "base/lane_sum.h"
#include "grains/grain_cloud.h"
#include "grains/grain_lanes.h"

namespace firn {
namespace {

// The grains of a cell, by its parts, and what takes their places to ones relative to the counting
// node's block.
template <int D>
struct CountedCell {
  const std::uint32_t* begin = nullptr;  // null: there are none
  Vec<float, D> offset;
};

// Squared ways along each axis from a place to the halves of its cell and of the cells beside that,
// less what grains may have drifted.
template <int D>
struct HalfDistances {
  static constexpr int kHalves = 6;
  float squared[D][kHalves];

  HalfDistances(const GrainCells<D>& cells, int cell, const Vec<float, D>& place, float drift) {
    const float half = 0.5f * cells.edge();
    const Vec<int, D> at = cells.coord(cell);
    for (int a = 0; a < D; ++a)
      for (int h = 0; h < kHalves; ++h) {
        const float low = float(2 * (at[a] - 1) + h) * half - drift;
        const float high = low + half + 2 * drift;
        squared[a][h] = square(max_of(max_of(low - place[a], place[a] - high), 0.0f));
      }
  }
};

// f(code of the cell, first part, end) for the parts within reach: those of a cell that lie side by
// side along the last axis follow one another.
template <int Axis, int D, class F>
void for_parts_within(const HalfDistances<D>& ways, float reach2, F&& f, float so_far = 0,
                      int code = 0, int part = 0) {
  const float* squared = ways.squared[Axis];
  if constexpr (Axis == D - 1) {
    for (int c = 0; c < 3; ++c) {
      const bool first = so_far + squared[2 * c] < reach2;
      const bool second = so_far + squared[2 * c + 1] < reach2;
      if (first || second) f(3 * code + c, 2 * part + (first ? 0 : 1), 2 * part + (second ? 2 : 1));
    }
  } else {
    for (int h = 0; h < HalfDistances<D>::kHalves; ++h)
      if (so_far + squared[h] < reach2)
        for_parts_within<Axis + 1>(ways, reach2, f, so_far + squared[h], 3 * code + h / 2,
                                   2 * part + h % 2);
  }
}

// Weights of a run of grains at a node.
template <int D>
GrainLanes weights_of(const GrainColumns<D>& grains, std::uint32_t begin, std::uint32_t end,
                      const Vec<float, D>& node, GrainLanes inverse_reach2) {
  const auto weights_from = [&](std::uint32_t i) {
    Vec<GrainLanes, D> r = load_lanes(grains.place, i, kGrainLanes);
    for (int a = 0; a < D; ++a) r[a] = r[a] - GrainLanes(node[a]);
    return grain_weight(dot(r, r), inverse_reach2);
  };
  GrainLanes sum(0);
  std::uint32_t i = begin;
  for (; i + kGrainLanes <= end; i += kGrainLanes) sum += weights_from(i);
  // What lies behind them is not counted.
  if (i < end)
    sum += select(lane_numbers() < GrainLanes(float(end - i)), weights_from(i), GrainLanes(0));
  return sum;
}

}  // namespace

template <int D>
std::vector<float> GrainCloud<D>::count_grains() const {
  const GrainCells<D>& cells = order_.cells();
  const float drift = float(drift_) + 0.01f;
  std::vector<float> counts(flow_.nodes().size());
  const std::int64_t all = std::int64_t(flow_.blocks().occupied()) * cells.count();
  parallel_for("grain counts", all, 16, [&](std::int64_t begin, std::int64_t end) {
    CountedCell<D> around[BlockShape<D>::kNeighbors];
    for (std::int64_t c = begin; c < end; ++c) {
      const int block = static_cast<int>(c / cells.count());
      const int cell = static_cast<int>(c % cells.count());
      const std::uint32_t first = flow_.first(block, cell), last = flow_.end(block, cell);
      const int slot = order_.blocks().find(flow_.blocks().key(block));
      if (first == last || slot < 0) continue;
      std::fill(std::begin(around), std::end(around), CountedCell<D>{});
      for_cells_around<D>(order_.blocks(), cells, slot, cell,
                          [&](int there, int number, const Vec<float, D>& offset, int code) {
                            around[code] = {order_.begins_of(there, number), offset};
                          });
      for (std::uint32_t i = first; i < last; ++i) {
        const Vec<float, D>& place = flow_.nodes()[i].place;
        const float inverse_reach2 = flow_.inverse_count_reach2(i);
        GrainLanes sum(0);
        for_parts_within<0>(HalfDistances<D>(cells, cell, place, drift), 1 / inverse_reach2,
                            [&](int code, int part, int end_part) {
                              const CountedCell<D>& there = around[code];
                              if (there.begin)
                                sum += weights_of(grains_, there.begin[part], there.begin[end_part],
                                                  place - there.offset, GrainLanes(inverse_reach2));
                            });
        counts[i] = sum_of_lanes(sum);
      }
    }
  });
  return counts;
}

template std::vector<float> GrainCloud<2>::count_grains() const;
template std::vector<float> GrainCloud<3>::count_grains() const;

}  // namespace firn
