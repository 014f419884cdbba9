// How many grains lie around each particle, each counted with the particle's weight.
#include <algorithm>

#include "grains/grain_cloud.h"
#include "grains/grain_lanes.h"

namespace firn {
namespace {

// The nodes of a cell and what they have counted so far.
template <int D>
struct Counters {
  struct Near {
    std::uint32_t number;
    Vec<float, D> place;
    float inverse_reach2;
  };
  std::vector<GrainLanes> sums;
  std::vector<Near> near;

  void add(const GrainColumns<D>& grains, std::uint32_t begin, std::uint32_t end) {
    const std::uint32_t whole = begin + (end - begin) / kGrainLanes * kGrainLanes;
    for (std::uint32_t i = begin; i < whole; i += kGrainLanes) {
      const Vec<GrainLanes, D> place = load_lanes(grains.place, i, kGrainLanes);
      for (const Near& one : near) sums[one.number] += weights(one, place);
    }
    if (whole == end) return;
    const int rest = static_cast<int>(end - whole);
    // What lies behind them is not counted.
    const Vec<GrainLanes, D> place = load_lanes(grains.place, whole, kGrainLanes);
    const auto real = lane_numbers() < GrainLanes(float(rest));
    for (const Near& one : near)
      sums[one.number] += select(real, weights(one, place), GrainLanes(0));
  }
  static GrainLanes weights(const Near& one, const Vec<GrainLanes, D>& place) {
    Vec<GrainLanes, D> r;
    for (int a = 0; a < D; ++a) r[a] = place[a] - GrainLanes(one.place[a]);
    return grain_weight(dot(r, r), GrainLanes(one.inverse_reach2));
  }
};

// Around some nodes, as far as they count.
template <int D>
struct NodeBox {
  CellBox<D> places;
  float reach = 0;  // the widest, cells

  // Whether none of them counts what is in another box, relative to a block at an offset.
  bool is_beyond(const CellBox<D>& box, const Vec<float, D>& offset) const {
    float distance2 = 0;
    for (int a = 0; a < D; ++a)
      distance2 += square(max_of(
          max_of(box.low[a] + offset[a] - places.high[a], places.low[a] - box.high[a] - offset[a]),
          0.0f));
    return distance2 > reach * reach;
  }
};
template <int D>
NodeBox<D> box_of_nodes(const CoarseFlow<D>& flow, std::uint32_t first, std::uint32_t last) {
  NodeBox<D> box{{flow.nodes()[first].place, flow.nodes()[first].place}};
  for (std::uint32_t i = first; i < last; ++i) {
    box.reach = std::max(box.reach, 1 / sqrt_of(flow.inverse_count_reach2(i)));
    for (int a = 0; a < D; ++a) {
      box.places.low[a] = std::min(box.places.low[a], flow.nodes()[i].place[a]);
      box.places.high[a] = std::max(box.places.high[a], flow.nodes()[i].place[a]);
    }
  }
  return box;
}

// Where the grains of a part of a cell may be.
template <int D>
CellBox<D> part_box(const GrainCells<D>& cells, int cell, int part, float drift) {
  CellBox<D> box;
  const Vec<int, D> at = cells.coord(cell);
  for (int a = D - 1; a >= 0; --a) {
    box.low[a] = (float(at[a]) + 0.5f * float(part % 2)) * cells.edge() - drift;
    box.high[a] = box.low[a] + 0.5f * cells.edge() + 2 * drift;
    part /= 2;
  }
  return box;
}

}  // namespace

template <int D>
std::vector<float> GrainCloud<D>::count_grains() const {
  constexpr int kParts = GrainCells<D>::kParts;
  const GrainCells<D>& cells = order_.cells();
  const float drift = float(drift_) + 0.01f;
  std::vector<float> counts(flow_.nodes().size());
  const std::int64_t all = std::int64_t(flow_.blocks().occupied()) * cells.count();
  parallel_for("grain counts", all, 16, [&](std::int64_t begin, std::int64_t end) {
    Counters<D> counters;
    for (std::int64_t c = begin; c < end; ++c) {
      const int block = static_cast<int>(c / cells.count());
      const int cell = static_cast<int>(c % cells.count());
      const std::uint32_t first = flow_.first(block, cell), last = flow_.end(block, cell);
      const int slot = order_.blocks().find(flow_.blocks().key(block));
      if (first == last || slot < 0) continue;
      counters.sums.assign(last - first, GrainLanes(0));
      const NodeBox<D> nodes = box_of_nodes(flow_, first, last);
      for_cells_around<D>(order_.blocks(), cells, slot, cell,
                          [&](int there, int number, const Vec<float, D>& offset) {
                            for (int part = 0; part < kParts; ++part) {
                              const int k = number * kParts + part;
                              const std::uint32_t from = order_.begin(there, k),
                                                  to = order_.end(there, k);
                              if (from == to) continue;
                              const CellBox<D> box = part_box<D>(cells, number, part, drift);
                              if (nodes.is_beyond(box, offset)) continue;
                              counters.near.clear();
                              for (std::uint32_t i = first; i < last; ++i) {
                                const Vec<float, D> place = flow_.nodes()[i].place - offset;
                                const float inverse2 = flow_.inverse_count_reach2(i);
                                if (box.distance2(place) * inverse2 < 1)
                                  counters.near.push_back({i - first, place, inverse2});
                              }
                              if (!counters.near.empty()) counters.add(grains_, from, to);
                            }
                          });
      for (std::uint32_t i = first; i < last; ++i)
        for (int l = 0; l < kGrainLanes; ++l) counts[i] += counters.sums[i - first][l];
    }
  });
  return counts;
}

template std::vector<float> GrainCloud<2>::count_grains() const;
template std::vector<float> GrainCloud<3>::count_grains() const;

}  // namespace firn
