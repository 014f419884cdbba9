// New particles on their way to the device, and the sinks that others go into.
#pragma once

#include "mpm_cuda/device_solver.h"
#include "mpm_cuda/launches.h"
#include "solver_cuda/traffic_tools.h"

namespace firn {

template <class T, int D>
class TrafficStore {
 public:
  explicit TrafficStore(cudaStream_t stream) : stream_(stream), sinks_(stream) {}

  void set_sinks(const std::vector<Shape>& sinks) { sinks_.set_sinks(sinks); }

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

  // Writes new particles behind the others; there is room for them and their blocks. The arrays
  // that the views point to live until the next call.
  std::vector<ArrivalView> append(const DeviceExchange<T, D>& exchange, const NewBlocks<D>& blocks,
                                  const View<T, D>& view, const SetStores<T, D>& sets) {
    std::vector<ArrivalView> arrivals;
    coords_.assign(blocks.coords, stream_);
    slots_.allocate(blocks.coords.size());
    const int count = static_cast<int>(blocks.coords.size());
    find_blocks_kernel<T, D><<<traffic_groups(count), kTrafficThreads, 0, stream_>>>(
        view, coords_.data(), count, slots_.data());
    of_block_.resize(blocks.of_block.size());
    words_.resize(blocks.of_block.size());
    for (std::size_t s = 0; s < blocks.of_block.size(); ++s) {
      const auto n = static_cast<std::uint32_t>(blocks.of_block[s].size());
      if (n == 0) continue;
      const int set = static_cast<int>(s);
      of_block_[s].assign(blocks.of_block[s], stream_);
      words_[s].assign(sets.packed(set, (*exchange.fresh)[s].particles), stream_);
      append_kernel<T>
          <<<traffic_groups(n), kTrafficThreads, 0, stream_>>>(sets.view(set), words_[s].data(), n);
      arrivals.push_back({of_block_[s].data(), slots_.data(), n, set});
    }
    must(cudaGetLastError(), "taking new particles");
    return arrivals;
  }

  // Flags the particles inside open sinks.
  RemovedParticles mark_removed(const std::vector<bool>& open, const View<T, D>& view) {
    return sinks_.mark_removed(open, [&](const PlainShape* sink, RemovedTotals* totals) {
      sink_kernel<T, D><<<view.capacity, kTrafficThreads, 0, stream_>>>(view, sink, totals);
    });
  }

  std::vector<double> taken_volume(const std::vector<Vec3d>& points,
                                   const std::vector<BlockCoord<D>>& homes, double radius,
                                   const View<T, D>& view) {
    return room_.taken_volume(
        points, homes, stream_, [&](const Vec3d* at, const BlockCoord<D>* blocks, double* taken) {
          taken_volume_kernel<T, D>
              <<<static_cast<int>(points.size()), kTrafficThreads, 0, stream_>>>(view, at, blocks,
                                                                                 radius, taken);
        });
  }

 private:
  cudaStream_t stream_;
  SinkStore sinks_;
  RoomStore<D> room_;
  DeviceArray<EmitterWait> waits_;
  PinnedArray<EmitterWait> staged_waits_;
  DeviceArray<BlockCoord<D>> coords_;
  DeviceArray<std::int32_t> slots_;
  std::vector<DeviceArray<std::int32_t>> of_block_;
  std::vector<DeviceArray<T>> words_;
};

}  // namespace firn
