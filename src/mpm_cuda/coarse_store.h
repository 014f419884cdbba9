// Coarser grids of an implicit step on a device: their memory, and what starts their kernels. As
// GridMultigrid (mpm/implicit_multigrid.h) on the CPU.
#pragma once

#include <algorithm>
#include <vector>

#include "mpm/coarse_blocks.h"
#include "mpm_cuda/coarse_inverse.h"
#include "mpm_cuda/implicit_vectors.h"

namespace firn {

template <class T, int D>
class CoarseStore {
 public:
  using Level = CoarseLevel<T, D>;
  static constexpr int kNodes = BlockShape<D>::kNodes, kNeighbors = BlockShape<D>::kNeighbors;

  explicit CoarseStore(cudaStream_t stream) : stream_(stream) { totals_.allocate(kMostCoarse); }

  // The blocks of the grid in the order of their keys: slot order[k] is at coords[order[k]].
  void set_blocks(const std::vector<BlockCoord<D>>& coords, const std::vector<std::int32_t>& order,
                  const View<T, D>& view) {
    std::vector<BlockCoord<D>> sorted;
    for (const std::int32_t slot : order) sorted.push_back(coords[slot]);
    typename CoarseBlocks<D>::Periods periods;
    for (int a = 0; a < D; ++a) periods[a] = {view.periods[a].first, view.periods[a].count};
    std::vector<CoarseBlocks<D>> levels = coarse_blocks<D>(sorted, periods);
    if (!levels.empty())
      for (std::int32_t& block : levels[0].finer)
        if (block >= 0) block = order[block];
    place_levels(levels);
    finest_ = int(coords.size()) * kNodes;
  }
  // From the moduli of the nodes, in the lanes of mass, of which `share` counts; waits for the
  // device once.
  void build(const T* mass, const DeviceNode<T>* bulk, const DeviceNode<T>* shear, double share,
             double spacing);
  // Of the nodes of the grid itself, kg: to be filled, then set.
  SymMat<T, D>* springs() const { return springs_.data(); }
  void set_springs();
  // The correction for a residual r, to be found in y of first(); nothing where *stop is set.
  void cycle(const DeviceNode<T>* r, const T* mass, const std::int32_t* stop) const;
  bool empty() const { return levels_.empty(); }
  const Level& first() const { return levels_.front(); }
  std::size_t bytes() const {
    return tables_.bytes() + numbers_.bytes() + indices_.bytes() + values_.bytes() +
           matter_.bytes() + vectors_.bytes() + springs_.bytes() + inverse_.bytes();
  }

 private:
  static constexpr int kFewNodes = 96;  // which one thread block does

  void place_levels(const std::vector<CoarseBlocks<D>>& levels);
  std::vector<int> count_nodes(const T* mass);
  void allocate(const std::vector<int>& counts);
  template <class Finer>
  void sum_matter(const Level& level, const Finer& finer, double spacing);
  void find_weights();
  FinerNodes<T> finer_nodes(std::size_t level, const T* mass) const {
    if (level == 0) return {mass, nullptr};
    return {nullptr, places_[level - 1].numbers};
  }
  // Levels before the tail.
  std::size_t large() const { return levels_.size() - std::size_t(tail_.count); }

  cudaStream_t stream_;
  int finest_ = 0;  // nodes of the grid itself
  std::vector<CoarsePlaces<D>> places_;
  std::vector<Level> levels_;
  CoarseTail<T, D> tail_;
  DeviceArray<std::int32_t> tables_, numbers_, totals_, indices_;
  DeviceArray<T> values_;
  DeviceArray<StiffMatter<T>> matter_;
  DeviceArray<DeviceNode<T>> vectors_;
  DeviceArray<SymMat<T, D>> springs_;
  DeviceArray<double> inverse_;
  PinnedArray<std::int32_t> totals_here_{kMostCoarse};
};

// Room that grows by more than is needed.
template <class E>
void make_room(DeviceArray<E>& array, std::size_t n) {
  if (array.size() < n) array.allocate(n + n / 4);
}

template <class T, int D>
void CoarseStore<T, D>::place_levels(const std::vector<CoarseBlocks<D>>& levels) {
  std::vector<std::int32_t> tables;
  std::size_t blocks = 0;
  for (const CoarseBlocks<D>& level : levels) {
    tables.insert(tables.end(), level.neighbors.begin(), level.neighbors.end());
    tables.insert(tables.end(), level.finer.begin(), level.finer.end());
    blocks += level.coords.size();
  }
  make_room(tables_, tables.size());
  make_room(numbers_, blocks * (kNodes + 1));
  tables_.upload(tables.data(), tables.size(), stream_);
  places_.clear();
  std::int32_t *table = tables_.data(), *number = numbers_.data();
  for (const CoarseBlocks<D>& level : levels) {
    const std::size_t count = level.coords.size();
    places_.push_back(
        {int(count), table, table + count * kNeighbors, number, number + count * kNodes});
    table += 2 * count * kNeighbors;
    number += count * (kNodes + 1);
  }
}

template <class T, int D>
std::vector<int> CoarseStore<T, D>::count_nodes(const T* mass) {
  AllPlaces<D> all;
  for (std::size_t l = 0; l < places_.size(); ++l) {
    flag_coarse_kernel<T, D>
        <<<places_[l].blocks, kNodes, 0, stream_>>>(places_[l], finer_nodes(l, mass));
    all.levels[l] = places_[l];
  }
  count_coarse_kernel<D><<<int(places_.size()), kNumberThreads, 0, stream_>>>(all, totals_.data());
  for (const CoarsePlaces<D>& places : places_)
    number_coarse_kernel<D><<<places.blocks, kNodes, 0, stream_>>>(places);
  must(cudaGetLastError(), "counting nodes of coarser grids");
  totals_here_.fetch(totals_, stream_);
  wait_for(stream_, "counting nodes of coarser grids");
  // Down to a grid that is solved exactly.
  std::vector<int> counts;
  for (std::size_t l = 0; l < places_.size() && (l == 0 || counts.back() > kMostSolved); ++l)
    counts.push_back(totals_here_[l]);
  if (!counts.empty() && counts.back() == 0) counts.clear();
  return counts;
}

template <class T, int D>
void CoarseStore<T, D>::allocate(const std::vector<int>& counts) {
  constexpr std::size_t kValues = 2 * Level::kCorners + Level::kLanes * D * D + 3 * Level::kEntries;
  std::size_t nodes = 0, parents = 0;
  for (std::size_t l = 0; l < counts.size(); ++l) {
    nodes += std::size_t(counts[l]);
    parents += std::size_t(l == 0 ? finest_ : counts[l - 1]);
  }
  make_room(indices_, nodes * 2 * Level::kLanes + parents);
  make_room(values_, nodes * kValues + counts.size());
  make_room(matter_, nodes);
  make_room(vectors_, 4 * nodes);
  std::int32_t* index = indices_.data();
  T* value = values_.data();
  StiffMatter<T>* matter = matter_.data();
  DeviceNode<T>* vector = vectors_.data();
  levels_.clear();
  const auto take = [](auto*& from, std::size_t n) { return (from += n) - n; };
  for (std::size_t l = 0; l < counts.size(); ++l) {
    const auto n = std::size_t(counts[l]);
    Level& level = levels_.emplace_back();
    level.nodes = counts[l];
    level.neighbors = take(index, n * Level::kLanes);
    level.finer = take(index, n * Level::kLanes);
    level.parents = take(index, std::size_t(l == 0 ? finest_ : counts[l - 1]));
    level.matter = take(matter, n);
    level.moduli = take(value, n * 2 * Level::kCorners);
    level.stencil = take(value, n * Level::kLanes * D * D);
    for (T** of : {&level.springs, &level.elastic, &level.inverse})
      *of = take(value, n * Level::kEntries);
    level.weight = take(value, 1);
    for (DeviceNode<T>** of : {&level.b, &level.x, &level.y, &level.r}) *of = take(vector, n);
  }
  must(cudaMemsetAsync(levels_[0].parents, 0xff, std::size_t(finest_) * sizeof(std::int32_t),
                       stream_),
       "clearing tables of coarser grids");
}

template <class T, int D>
template <class Finer>
void CoarseStore<T, D>::sum_matter(const Level& level, const Finer& finer, double spacing) {
  const T scale = T(1 / (spacing * spacing * Level::kCorners));
  for_groups(level.nodes, SumMatter<T, D, Finer>{level, finer, scale}, stream_);
}

template <class T, int D>
void CoarseStore<T, D>::build(const T* mass, const DeviceNode<T>* bulk, const DeviceNode<T>* shear,
                              double share, double spacing) {
  levels_.clear();
  tail_ = {};
  if (places_.empty()) return;
  const std::vector<int> counts = count_nodes(mass);
  if (counts.empty()) return;
  allocate(counts);
  for (std::size_t l = 0; l < levels_.size(); ++l, spacing *= 2) {
    const Level& level = levels_[l];
    for_groups(places_[l].blocks * kNodes,
               LinkCoarse<T, D>{places_[l], finer_nodes(l, mass), level}, stream_);
    if (l == 0)
      sum_matter(level, FinestMatter<T>{mass, bulk, shear, T(share)}, spacing);
    else
      sum_matter(level, CoarserMatter<T>{levels_[l - 1].matter}, spacing);
    for_coarse(level.nodes * Level::kNeighbors, AssembleBlock<T, D>{level}, stream_);
  }
  // The last level is always part of the tail.
  std::size_t first = levels_.size() - 1;
  while (first > 0 && levels_[first - 1].nodes <= kFewNodes) --first;
  for (std::size_t l = first; l < levels_.size(); ++l) tail_.levels[tail_.count++] = levels_[l];
  if (levels_.back().nodes <= kMostSolved) tail_.unknowns = levels_.back().nodes * D;
  inverse_.allocate(std::size_t(kMostSolved) * D * kMostSolved * D);
  tail_.inverse = inverse_.data();
  find_weights();
  make_room(springs_, std::size_t(finest_));
  must(cudaGetLastError(), "building coarser grids");
}

template <class T, int D>
void CoarseStore<T, D>::find_weights() {
  for (std::size_t l = 0; l < large(); ++l) {
    const Level& level = levels_[l];
    for_groups(level.nodes, SetSprings<T, D, NoSprings<T, D>>{level, {}}, stream_);
    for_coarse(level.nodes, BeginPowers<T, D>{level}, stream_);
    for (int k = 0; k < kPowers; ++k)
      for_groups(level.nodes,
                 NextPower<T, D>{level, k % 2 ? level.y : level.x, k % 2 ? level.x : level.y},
                 stream_);
    weight_kernel<T, D><<<1, kTailThreads, 0, stream_>>>(level);
  }
  tail_weights_kernel<T, D><<<tail_.count, kTailThreads, 0, stream_>>>(tail_);
}

template <class T, int D>
void CoarseStore<T, D>::set_springs() {
  if (empty()) return;
  const FinestSprings<T, D> finest{springs_.data()};
  for (std::size_t l = 0; l < large(); ++l) {
    const Level& level = levels_[l];
    if (l == 0)
      for_groups(level.nodes, SetSprings<T, D, FinestSprings<T, D>>{level, finest}, stream_);
    else
      for_groups(level.nodes, SetSprings<T, D, CoarserSprings<T, D>>{level, {levels_[l - 1]}},
                 stream_);
  }
  const std::size_t bytes = inverse_bytes<D>(tail_.unknowns / D);
  const auto start = [&](const auto& finer) {
    using Finer = std::decay_t<decltype(finer)>;
    must(cudaFuncSetAttribute(tail_springs_kernel<T, D, Finer>,
                              cudaFuncAttributeMaxDynamicSharedMemorySize,
                              int(inverse_bytes<D>(kMostSolved))),
         "asking for shared memory");
    tail_springs_kernel<T, D, Finer>
        <<<1, kTailThreads, bytes, stream_>>>(tail_, finer, inverse_.data());
  };
  if (large() == 0)
    start(finest);
  else
    start(CoarserSprings<T, D>{levels_[large() - 1]});
  must(cudaGetLastError(), "springs of coarser grids");
}

template <class T, int D>
void CoarseStore<T, D>::cycle(const DeviceNode<T>* r, const T* mass,
                              const std::int32_t* stop) const {
  if (empty()) return;
  const std::size_t count = large();
  const auto run = [&](int n, const auto& act) { for_groups(n, act, stream_, stop); };
  for (std::size_t l = 0; l < count; ++l) {
    const Level& level = levels_[l];
    run(level.nodes,
        RestrictResidual<T, D>{level, l == 0 ? r : levels_[l - 1].r, l == 0 ? mass : nullptr});
    run(level.nodes, FindResidual<T, D>{level});
  }
  tail_kernel<T, D><<<1, kTailThreads, 0, stream_>>>(tail_, count == 0 ? r : levels_[count - 1].r,
                                                     count == 0 ? mass : nullptr, stop);
  for (std::size_t l = count; l-- > 0;) {
    const Level& level = levels_[l];
    for_coarse(level.nodes, AddCoarser<T, D>{level, levels_[l + 1]}, stream_, stop);
    run(level.nodes, SmoothStep<T, D>{level, level.x, level.y});
  }
  must(cudaGetLastError(), "a cycle over coarser grids");
}

}  // namespace firn
