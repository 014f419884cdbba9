// The nodes of a flow around a place, as lanes, each with its place and some numbers.
#pragma once

#include <vector>

#include "base/lane_sum.h"
#include "grains/flow_rules.h"
#include "grains/grain_lanes.h"

namespace firn {

template <int N>
Vec<float, N> sum_of_lanes(const Vec<GrainLanes, N>& x) {
  Vec<float, N> sum;
  for (int a = 0; a < N; ++a) sum[a] = sum_of_lanes(x[a]);
  return sum;
}
template <int N>
Mat<float, N> sum_of_lanes(const Mat<GrainLanes, N>& x) {
  Mat<float, N> sum;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) sum(i, j) = sum_of_lanes(x(i, j));
  return sum;
}

template <int D, int Values>
class NodesAround {
 public:
  void clear() { resize(0); }
  // The nodes [from, to), put elsewhere by an offset.
  template <class ValueOf>
  void add(const std::vector<FlowNode<D>>& nodes, std::uint32_t from, std::uint32_t to,
           const Vec<float, D>& offset, ValueOf&& value_of) {
    const std::size_t first = size();
    resize(first + (to - from));
    for (std::uint32_t k = from; k < to; ++k)
      set(first + (k - from), nodes[k].place + offset, value_of(k));
  }
  // To whole packs, with some that are out of reach, also of a reach of 1.
  void fill_up() {
    constexpr float kFar = 1e6f;
    const std::size_t count = size();
    resize((count + kGrainLanes - 1) / kGrainLanes * kGrainLanes);
    for (std::size_t k = count; k < size(); ++k)
      set(k, Vec<float, D>::fill(kFar), Vec<float, Values>::fill(1));
  }
  std::size_t size() const { return place_[0].size(); }

  Vec<GrainLanes, D> places(std::size_t k) const { return lanes_of(place_, k); }
  Vec<GrainLanes, Values> values(std::size_t k) const { return lanes_of(value_, k); }
  Vec<GrainLanes, D> way_to(std::size_t k, const Vec<float, D>& from) const {
    return less(places(k), from);
  }
  Vec<GrainLanes, Values> change_to(std::size_t k, const Vec<float, Values>& from) const {
    return less(values(k), from);
  }

 private:
  void resize(std::size_t count) {
    for (auto& of_axis : place_) of_axis.resize(count);
    for (auto& one : value_) one.resize(count);
  }
  void set(std::size_t k, const Vec<float, D>& place, const Vec<float, Values>& value) {
    for (int a = 0; a < D; ++a) place_[a][k] = place[a];
    for (int v = 0; v < Values; ++v) value_[v][k] = value[v];
  }
  template <int N>
  static Vec<GrainLanes, N> lanes_of(const std::vector<float> (&columns)[N], std::size_t k) {
    Vec<GrainLanes, N> r;
    for (int a = 0; a < N; ++a) r[a] = GrainLanes::load(columns[a].data() + k);
    return r;
  }
  template <int N>
  static Vec<GrainLanes, N> less(Vec<GrainLanes, N> r, const Vec<float, N>& from) {
    for (int a = 0; a < N; ++a) r[a] = r[a] - GrainLanes(from[a]);
    return r;
  }

  std::vector<float> place_[D], value_[Values];
};

}  // namespace firn
