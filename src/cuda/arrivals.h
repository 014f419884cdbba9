// New particles on their way to the device, and the sinks that others go into.
#pragma once

#include <map>

#include "cuda/collider_store.h"
#include "cuda/device_solver.h"
#include "cuda/launches.h"

namespace firn {

template <class T, int D>
class FlowStore {
 public:
  void set_sinks(const std::vector<Shape>& sinks) {
    std::vector<PlainShape> placed;
    for (const Shape& sink : sinks) placed.push_back(shapes_.placed(sink));
    sinks_.assign(placed);
    totals_.allocate(1);
  }

  // When emitters are to be looked at; whether memory moved.
  bool set_waits(const std::vector<EmitterWait>& waits, View<T, D>& view) {
    std::vector<FlowWait> plain;
    for (const EmitterWait& wait : waits) plain.push_back({wait.since, wait.length});
    const bool moves = plain.size() > waits_.size();
    if (moves) {
      waits_.allocate(plain.size());
      view.waits = waits_.data();
    }
    waits_.upload(plain.data(), plain.size());
    return moves;
  }

  // Different blocks of new particles; particle i of set s is in number of_block[s][i] of them.
  struct Blocks {
    std::vector<BlockCoord<D>> coords;
    std::vector<std::vector<std::int32_t>> of_block;
  };
  static Blocks blocks_of(const DeviceRenewal<T, D>& renewal) {
    Blocks blocks;
    std::map<std::uint64_t, std::int32_t> numbers;
    for (const auto& set : renewal.blocks) {
      blocks.of_block.emplace_back();
      for (const BlockCoord<D>& coord : set) {
        const auto [found, is_new] = numbers.try_emplace(
            morton_key<D>(coord), static_cast<std::int32_t>(blocks.coords.size()));
        if (is_new) blocks.coords.push_back(coord);
        blocks.of_block.back().push_back(found->second);
      }
    }
    return blocks;
  }

  // Writes new particles behind the others; there is room for them and their blocks. The arrays
  // that the views point to live until the next call.
  std::vector<ArrivalView> append(const DeviceRenewal<T, D>& renewal, const Blocks& blocks,
                                  const View<T, D>& view, const SetStores<T, D>& sets,
                                  cudaStream_t stream) {
    std::vector<ArrivalView> arrivals;
    coords_.assign(blocks.coords);
    slots_.allocate(blocks.coords.size());
    const int count = static_cast<int>(blocks.coords.size());
    find_blocks_kernel<T, D>
        <<<groups(count), kFlowThreads, 0, stream>>>(view, coords_.data(), count, slots_.data());
    of_block_.resize(blocks.of_block.size());
    words_.resize(blocks.of_block.size());
    for (std::size_t s = 0; s < blocks.of_block.size(); ++s) {
      const auto n = static_cast<std::uint32_t>(blocks.of_block[s].size());
      if (n == 0) continue;
      const int set = static_cast<int>(s);
      of_block_[s].assign(blocks.of_block[s]);
      words_[s].assign(sets.packed(set, (*renewal.fresh)[s].particles));
      append_kernel<T><<<groups(n), kFlowThreads, 0, stream>>>(sets.view(set), words_[s].data(), n);
      arrivals.push_back({of_block_[s].data(), slots_.data(), n, set});
    }
    must(cudaGetLastError(), "taking new particles");
    return arrivals;
  }

  // Flags the particles inside open sinks.
  DeviceRemoval mark_removed(const std::vector<bool>& open, const View<T, D>& view,
                             cudaStream_t stream) {
    totals_.fill_zero();
    for (std::size_t i = 0; i < open.size(); ++i)
      if (open[i])
        sink_kernel<T, D>
            <<<view.capacity, kFlowThreads, 0, stream>>>(view, sinks_.data() + i, totals_.data());
    must(cudaGetLastError(), "looking at sinks");
    must(cudaStreamSynchronize(stream), "looking at sinks");
    RemovedTotals totals;
    totals_.download(&totals, 1);
    return {totals.count, exact_value(totals.mass)};
  }

  std::vector<double> taken_volume(const std::vector<Vec3d>& points,
                                   const std::vector<BlockCoord<D>>& homes, double radius,
                                   const View<T, D>& view, cudaStream_t stream) {
    std::vector<double> taken(points.size());
    if (points.empty()) return taken;
    points_.assign(points);
    coords_.assign(homes);
    taken_.allocate(points.size());
    taken_.fill_zero();
    taken_volume_kernel<T, D><<<static_cast<int>(points.size()), kFlowThreads, 0, stream>>>(
        view, points_.data(), coords_.data(), radius, taken_.data());
    must(cudaGetLastError(), "looking for room");
    must(cudaStreamSynchronize(stream), "looking for room");
    taken_.download(taken.data(), taken.size());
    return taken;
  }

 private:
  static int groups(std::size_t n) { return Launches<T, D>::groups(n, kFlowThreads); }

  ShapeStore shapes_;
  DeviceArray<PlainShape> sinks_;
  DeviceArray<RemovedTotals> totals_;
  DeviceArray<FlowWait> waits_;
  DeviceArray<BlockCoord<D>> coords_;
  DeviceArray<std::int32_t> slots_;
  std::vector<DeviceArray<std::int32_t>> of_block_;
  std::vector<DeviceArray<T>> words_;
  DeviceArray<Vec3d> points_;
  DeviceArray<double> taken_;
};

}  // namespace firn
