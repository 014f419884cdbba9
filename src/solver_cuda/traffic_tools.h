// What emitters, sinks and kicks need on the device, whoever keeps the particles there.
#pragma once

#include "cuda/exact_sum.h"
#include "cuda/warp.h"
#include "solver/solver.h"
#include "solver/source_rules.h"
#include "solver_cuda/block_keys.h"
#include "solver_cuda/collider_store.h"

namespace firn {

constexpr int kTrafficThreads = 128;

inline int traffic_groups(std::size_t n) {
  return static_cast<int>((n + kTrafficThreads - 1) / kTrafficThreads);
}

// Velocities to be added to particles, by id.
template <class T, int D>
class KickStore {
 public:
  const T* upload(const std::vector<Vec3d>& kicks, cudaStream_t stream) {
    std::vector<T> components;
    for (const Vec3d& v : kicks)
      for (int a = 0; a < D; ++a) components.push_back(T(v[a]));
    kicks_.assign(components, stream);
    return kicks_.data();
  }

 private:
  DeviceArray<T> kicks_;
};

struct RemovedTotals {
  unsigned long long count;
  unsigned long long mass[kExactDigits];  // kg

#ifdef __CUDACC__
  __device__ void add(double kilograms) {
    atomicAdd(&count, 1ull);
    add_exact(mass, kilograms);
  }
#endif
};

class SinkStore {
 public:
  explicit SinkStore(cudaStream_t stream) : stream_(stream), shapes_(stream) {}

  void set_sinks(const std::vector<Shape>& sinks) {
    std::vector<PlainShape> placed;
    for (const Shape& sink : sinks) placed.push_back(shapes_.placed(sink));
    sinks_.assign(placed, stream_);
    totals_.allocate(1);
  }
  bool any() const { return sinks_.size() > 0; }
  // mark(sink, totals) looks for particles in one of the open ones.
  template <class Mark>
  RemovedParticles mark_removed(const std::vector<bool>& open, Mark&& mark) {
    totals_.fill_zero(stream_);
    for (std::size_t i = 0; i < open.size(); ++i)
      if (open[i]) mark(sinks_.data() + i, totals_.data());
    must(cudaGetLastError(), "looking at sinks");
    RemovedTotals totals;
    totals_.download(&totals, 1, stream_);
    return {totals.count, exact_value(totals.mass)};
  }

 private:
  cudaStream_t stream_;
  ShapeStore shapes_;
  DeviceArray<PlainShape> sinks_;
  DeviceArray<RemovedTotals> totals_;
};

// Points where emitters ask for room.
template <int D>
class RoomStore {
 public:
  // measure(points, homes, taken): the volume around each, one thread block a point.
  template <class Measure>
  std::vector<double> taken_volume(const std::vector<Vec3d>& points,
                                   const std::vector<BlockCoord<D>>& homes, cudaStream_t stream,
                                   Measure&& measure) {
    std::vector<double> taken(points.size());
    if (points.empty()) return taken;
    points_.assign(points, stream);
    homes_.assign(homes, stream);
    taken_.allocate(points.size());
    taken_.fill_zero(stream);
    measure(points_.data(), homes_.data(), taken_.data());
    must(cudaGetLastError(), "looking for room");
    taken_.download(taken.data(), taken.size(), stream);
    return taken;
  }

 private:
  DeviceArray<Vec3d> points_;
  DeviceArray<BlockCoord<D>> homes_;
  DeviceArray<double> taken_;
};

#ifdef __CUDACC__
// What a thread block sums, for its first thread.
__device__ inline double sum_of_traffic_threads(double sum) {
  __shared__ double of_warp[kTrafficThreads / 32];
  __syncwarp();
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  for (int w = 1; w < kTrafficThreads / 32 && threadIdx.x == 0; ++w) sum += of_warp[w];
  return sum;
}

// f(block) for the block at home and those around it, each once; find(coord): its number or less
// than 0.
template <int D, class Find, class F>
__device__ void for_blocks_around(const BlockPeriod* periods, const BlockCoord<D>& home,
                                  Find&& find, F&& f) {
  for (int neighbor = 0; neighbor < BlockShape<D>::kNeighbors; ++neighbor) {
    BlockCoord<D> coord = home;
    bool again = false;  // a period shorter than three blocks: the same one on both sides
    for (int a = D - 1, code = neighbor; a >= 0; --a, code /= 3) {
      coord[a] += code % 3 - 1;
      again = again || (periods[a].count > 0 && code % 3 >= periods[a].count);
    }
    const int block = find(wrapped_block<D>(periods, coord));
    if (!again && block >= 0) f(block);
  }
}
#endif

}  // namespace firn
