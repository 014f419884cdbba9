// New particles on their way to the device, and the sinks that others go into.
#pragma once

#include <map>

#include "mpm_cuda/device_solver.h"
#include "mpm_cuda/launches.h"
#include "solver_cuda/collider_store.h"

namespace firn {

template <class T, int D>
class TrafficStore {
 public:
  explicit TrafficStore(cudaStream_t stream) : stream_(stream), shapes_(stream) {}

  void set_sinks(const std::vector<Shape>& sinks) {
    std::vector<PlainShape> placed;
    for (const Shape& sink : sinks) placed.push_back(shapes_.placed(sink));
    sinks_.assign(placed, stream_);
    totals_.allocate(1);
  }

  // When emitters are to be looked at in the next steps; those before must be over. Whether memory
  // moved.
  bool set_waits(const std::vector<EmitterWait>& waits, View<T, D>& view) {
    const bool moves = waits.size() > waits_.size();
    if (moves) {
      waits_.allocate(waits.size());
      staged_waits_.allocate(waits.size());
      view.waits = waits_.data();
    }
    std::copy(waits.begin(), waits.end(), staged_waits_.data());
    staged_waits_.send(waits_, stream_);
    return moves;
  }

  // Different blocks of new particles; particle i of set s is in number of_block[s][i] of them.
  struct Blocks {
    std::vector<BlockCoord<D>> coords;
    std::vector<std::vector<std::int32_t>> of_block;
  };
  static Blocks blocks_of(const DeviceExchange<T, D>& exchange) {
    Blocks blocks;
    std::map<std::uint64_t, std::int32_t> numbers;
    for (const auto& set : exchange.blocks) {
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
  std::vector<ArrivalView> append(const DeviceExchange<T, D>& exchange, const Blocks& blocks,
                                  const View<T, D>& view, const SetStores<T, D>& sets) {
    std::vector<ArrivalView> arrivals;
    coords_.assign(blocks.coords, stream_);
    slots_.allocate(blocks.coords.size());
    const int count = static_cast<int>(blocks.coords.size());
    find_blocks_kernel<T, D><<<groups(count), kTrafficThreads, 0, stream_>>>(view, coords_.data(),
                                                                             count, slots_.data());
    of_block_.resize(blocks.of_block.size());
    words_.resize(blocks.of_block.size());
    for (std::size_t s = 0; s < blocks.of_block.size(); ++s) {
      const auto n = static_cast<std::uint32_t>(blocks.of_block[s].size());
      if (n == 0) continue;
      const int set = static_cast<int>(s);
      of_block_[s].assign(blocks.of_block[s], stream_);
      words_[s].assign(sets.packed(set, (*exchange.fresh)[s].particles), stream_);
      append_kernel<T>
          <<<groups(n), kTrafficThreads, 0, stream_>>>(sets.view(set), words_[s].data(), n);
      arrivals.push_back({of_block_[s].data(), slots_.data(), n, set});
    }
    must(cudaGetLastError(), "taking new particles");
    return arrivals;
  }

  // Flags the particles inside open sinks.
  RemovedParticles mark_removed(const std::vector<bool>& open, const View<T, D>& view) {
    totals_.fill_zero(stream_);
    for (std::size_t i = 0; i < open.size(); ++i)
      if (open[i])
        sink_kernel<T, D><<<view.capacity, kTrafficThreads, 0, stream_>>>(view, sinks_.data() + i,
                                                                          totals_.data());
    must(cudaGetLastError(), "looking at sinks");
    RemovedTotals totals;
    totals_.download(&totals, 1, stream_);
    return {totals.count, exact_value(totals.mass)};
  }

  std::vector<double> taken_volume(const std::vector<Vec3d>& points,
                                   const std::vector<BlockCoord<D>>& homes, double radius,
                                   const View<T, D>& view) {
    std::vector<double> taken(points.size());
    if (points.empty()) return taken;
    points_.assign(points, stream_);
    coords_.assign(homes, stream_);
    taken_.allocate(points.size());
    taken_.fill_zero(stream_);
    taken_volume_kernel<T, D><<<static_cast<int>(points.size()), kTrafficThreads, 0, stream_>>>(
        view, points_.data(), coords_.data(), radius, taken_.data());
    must(cudaGetLastError(), "looking for room");
    taken_.download(taken.data(), taken.size(), stream_);
    return taken;
  }

 private:
  static int groups(std::size_t n) { return Launches<T, D>::groups(n, kTrafficThreads); }

  cudaStream_t stream_;
  ShapeStore shapes_;
  DeviceArray<PlainShape> sinks_;
  DeviceArray<RemovedTotals> totals_;
  DeviceArray<EmitterWait> waits_;
  PinnedArray<EmitterWait> staged_waits_;
  DeviceArray<BlockCoord<D>> coords_;
  DeviceArray<std::int32_t> slots_;
  std::vector<DeviceArray<std::int32_t>> of_block_;
  std::vector<DeviceArray<T>> words_;
  DeviceArray<Vec3d> points_;
  DeviceArray<double> taken_;
};

}  // namespace firn
