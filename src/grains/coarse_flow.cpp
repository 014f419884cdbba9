#include "grains/coarse_flow.h"

#include <algorithm>
#include <cmath>

#include "base/lane_pick.h"
#include "exec/parallel.h"
#include "grains/grain_pattern.h"
#include "grains/nodes_around.h"

namespace firn {
namespace {

constexpr std::uint32_t kLost = UINT32_MAX;  // beyond what the grid can number
}  // namespace

template <int D>
CoarseFlow<D>::CoarseFlow(const GrainCells<D>& cells,
                          const typename BlockTopology<D>::Periods& periods, double support,
                          int per_particle)
    : cells_(cells), support_(support / 2), weights_(kWeightSteps + 1) {
  blocks_.set_periods(periods);
  // The integral of (1 - r^2)^3.
  full_ = float(per_particle * std::pow(kCountReach, D) * (D == 3 ? 64 * kPi / 315 : kPi / 4));
  const float inverse2 = float(1 / square(kCountReach));
  constexpr int kSamples = 2048;
  for (int i = 0; i <= kWeightSteps; ++i) {
    const double r = kGradientReach * i / kWeightSteps;
    double sum = 0;
    for (int k = 0; k < kSamples; ++k) {
      Vec<float, D> at = even_point<D>(k, 0);
      // Along the diagonal of a plane, between the best and the worst direction.
      for (int a = 0; a < D; ++a) at[a] += a < 2 ? float(r * std::sqrt(0.5)) : 0.0f;
      sum += grain_weight(dot(at, at), inverse2);
    }
    weights_[i] = float(per_particle * sum / kSamples);
  }
}

template <int D>
float CoarseFlow<D>::spacing(std::size_t node) const {
  return spacing_of(nodes_[node].inverse_support2, float(support_));
}

template <int D>
void CoarseFlow<D>::build(const std::vector<CoarseWay<D>>& ways, const StepPart& part,
                          bool linear) {
  struct Entry {
    std::uint64_t key;
    std::uint32_t cell, way;
  };
  std::vector<Entry> order(ways.size());
  std::vector<FlowNode<D>> nodes(ways.size());
  longest_way_ = 0;
  parallel_for("flow places", static_cast<std::int64_t>(ways.size()), 4096,
               [&](std::int64_t first, std::int64_t last) {
                 for (std::int64_t i = first; i < last; ++i) {
                   BlockPlace<D> at;
                   FlowNode<D>& node = nodes[i];
                   order[i].way = kLost;
                   if (!block_place(ways[i].from + ways[i].way * part.begin, blocks_, at)) continue;
                   node = flow_node(ways[i], at.place, support_, part.length);
                   order[i] = {morton_key<D>(at.block),
                               static_cast<std::uint32_t>(cells_.cell(at.place)),
                               static_cast<std::uint32_t>(i)};
                 }
               });
  std::erase_if(order, [&](const Entry& e) { return e.way == kLost; });
  for (const Entry& e : order)
    longest_way_ = std::max(longest_way_, double(dot(nodes[e.way].way, nodes[e.way].way)));
  longest_way_ = std::sqrt(longest_way_);
  std::sort(order.begin(), order.end(), [](const Entry& a, const Entry& b) {
    return a.key != b.key ? a.key < b.key : a.cell != b.cell ? a.cell < b.cell : a.way < b.way;
  });
  std::vector<std::uint64_t> keys;
  for (const Entry& e : order)
    if (keys.empty() || keys.back() != e.key) keys.push_back(e.key);
  blocks_.build(keys);
  begin_.assign(keys.size() * cells_.count() + 1, 0);
  nodes_.resize(order.size());
  std::size_t block = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    while (keys[block] != order[i].key) ++block;
    ++begin_[block * cells_.count() + order[i].cell + 1];
    nodes_[i] = nodes[order[i].way];
  }
  for (std::size_t c = 1; c < begin_.size(); ++c) begin_[c] += begin_[c - 1];
  if (linear) find_gradients();
}

template <int D>
template <int Values, class ValueOf, class Body>
void CoarseFlow<D>::for_each_node(const char* name, ValueOf&& value_of, Body&& body) {
  const std::int64_t cells = std::int64_t(blocks_.occupied()) * cells_.count();
  parallel_for(name, cells, 16, [&](std::int64_t begin, std::int64_t stop) {
    NodesAround<D, Values> around;
    for (std::int64_t c = begin; c < stop; ++c) {
      const int block = static_cast<int>(c / cells_.count());
      const int cell = static_cast<int>(c % cells_.count());
      if (first(block, cell) == end(block, cell)) continue;
      around.clear();
      for_around(block, cell,
                 [&](std::uint32_t from, std::uint32_t to, const Vec<float, D>& offset) {
                   around.add(nodes_, from, to, offset, value_of);
                 });
      around.fill_up();
      for (std::uint32_t i = first(block, cell); i < end(block, cell); ++i) body(i, around);
    }
  });
}

// A node finds itself among those around it, as one that adds nothing to moments and changes.
template <int D>
void CoarseFlow<D>::find_gradients() {
  std::vector<Mat<float, D>> gradients(nodes_.size());
  std::vector<float> holds(nodes_.size());
  due_.resize(nodes_.size());
  const auto way_of = [&](std::uint32_t k) { return nodes_[k].way; };
  for_each_node<D>("flow gradients", way_of, [&](std::uint32_t i, const auto& around) {
    const FlowNode<D>& own = nodes_[i];
    const float s = spacing(i), reach = float(kGradientReach) * s;
    const float wide = 1 / (reach * reach);
    GradientSums<D, GrainLanes> lanes{Mat<GrainLanes, D>::zero(), Mat<GrainLanes, D>::zero()};
    for (std::size_t k = 0; k < around.size(); k += kGrainLanes) {
      const Vec<GrainLanes, D> r = around.way_to(k, own.place);
      const GrainLanes r2 = dot(r, r);
      const GrainLanes place = place_in_weights(r2, s);
      float near[kGrainLanes];
      const int count = pick_lanes(place < GrainLanes(kWeightSteps), place, near);
      for (int n = 0; n < count; ++n) lanes.due += weight_at(weights_.data(), near[n]);
      lanes.add(r, r2, wide, own.inverse_support2, around.change_to(k, own.way));
    }
    constexpr float kOwnWeight = 1;
    const GradientSums<D> sums{sum_of_lanes(lanes.moment) + moment_at_least<D>(s),
                               sum_of_lanes(lanes.change), sum_of_lanes(lanes.others) - kOwnWeight,
                               lanes.due};
    gradients[i] = sums.gradient();
    holds[i] = hold_of(sums.others);
    due_[i] = sums.due;
  });
  parallel_for("flow gradients", static_cast<std::int64_t>(nodes_.size()), 4096,
               [&](std::int64_t begin, std::int64_t stop) {
                 for (std::int64_t i = begin; i < stop; ++i) {
                   nodes_[i].gradient = gradients[i];
                   nodes_[i].hold = holds[i];
                 }
               });
}

template <int D>
void CoarseFlow<D>::even_out(const std::vector<float>& counts, float least_strain, bool filled) {
  shortage_.resize(nodes_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    shortage_[i] =
        shortage_of(nodes_[i].hold, counts[i], filled ? std::min(due_[i], full_) : due_[i]);
  std::vector<Vec<float, D>> drifts(nodes_.size());
  const auto shortage_at = [&](std::uint32_t k) { return Vec<float, 1>{{shortage_[k]}}; };
  for_each_node<1>("flow drift", shortage_at, [&](std::uint32_t i, const auto& around) {
    const FlowNode<D>& own = nodes_[i];
    const float s = spacing(i), reach = float(kGradientReach) * s;
    DriftSums<D, GrainLanes> lanes{Mat<GrainLanes, D>::zero(), Vec<GrainLanes, D>::zero()};
    for (std::size_t k = 0; k < around.size(); k += kGrainLanes) {
      const Vec<GrainLanes, D> r = around.way_to(k, own.place);
      lanes.add(r, grain_weight(dot(r, r), GrainLanes(1 / (reach * reach))),
                around.change_to(k, shortage_at(i))[0]);
    }
    const DriftSums<D> sums{sum_of_lanes(lanes.moment) + moment_at_least<D>(s),
                            sum_of_lanes(lanes.change)};
    drifts[i] = sums.drift(own, s, least_strain);
  });
  for (std::size_t i = 0; i < nodes_.size(); ++i) nodes_[i].way += drifts[i];
}

template <int D>
std::size_t CoarseFlow<D>::bytes() const {
  return blocks_.bytes() + begin_.capacity() * sizeof(begin_[0]) +
         nodes_.capacity() * sizeof(nodes_[0]) +
         (shortage_.capacity() + due_.capacity()) * sizeof(float);
}

template class CoarseFlow<2>;
template class CoarseFlow<3>;

}  // namespace firn
