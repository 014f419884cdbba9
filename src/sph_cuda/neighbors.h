// Lists of neighbours: those of 32 particles stand side by side, so that a warp reads them in rows.
// Where the rows lie is left to chance; what they hold is not.
#pragma once

#include "sph/neighbor.h"
#include "sph/pair_scalar.h"
#include "sph_cuda/sort.h"

namespace firn {

// f(neighbour) for the particles within reach of particle i, in the order of cells and ids.
template <class T, int D, class F>
__device__ void for_near(const DeviceSphView<T, D>& view, std::uint32_t i, F&& f) {
  constexpr int kEdge = BlockShape<D>::kEdge, kCells = BlockShape<D>::kNodes;
  const Four<T> here = view.place[i];
  const std::int32_t* around = view.neighbors + view.block_of[i] * BlockShape<D>::kNeighbors;
  Vec<int, D> low, high, cell;
  for (int a = 0; a < D; ++a) {
    low[a] = static_cast<int>(floor(here[a] - T(kListReach)));
    high[a] = static_cast<int>(floor(here[a] + T(kListReach)));
  }
  for (cell = low; cell[0] <= high[0];) {
    int code = 0, index = 0;
    T offset[D];
    for (int a = 0; a < D; ++a) {
      const int side = (cell[a] >= kEdge) - (cell[a] < 0);
      code = code * 3 + side + 1;
      index = index * kEdge + cell[a] - side * kEdge;
      offset[a] = here[a] - T(side * kEdge);
    }
    const std::int32_t block = around[code];
    if (block >= 0) {
      const std::size_t c = std::size_t(block) * kCells + index;
      for (std::uint32_t j = view.cell_begin[c]; j < view.cell_begin[c + 1]; ++j) {
        const Four<T> there = view.place[j];
        T r2 = 0;
        for (int a = 0; a < D; ++a) r2 += square(offset[a] - there[a]);
        if (r2 < T(kListReach * kListReach) && j != i) f(Neighbor::make(j, code));
      }
    }
    ++cell[D - 1];
    for (int a = D - 1; a > 0 && cell[a] > high[a]; --a) {
      cell[a] = low[a];
      ++cell[a - 1];
    }
  }
}

template <class T, int D>
__global__ void __launch_bounds__(kSphThreads)
    list_neighbors_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  SphControl& control = *view.control;
  const std::uint32_t i = thread_number();
  const int lane = threadIdx.x % 32;
  if (control.full & kBlocksFull) return;
  const std::uint32_t all = live_particles(view);
  if (i - lane >= all) return;
  unsigned count = 0;
  if (i < all) for_near(view, i, [&](std::uint32_t) { ++count; });
  const unsigned rows = warp_largest(static_cast<int>(count));
  unsigned row = 0;
  if (lane == 0) row = atomicAdd(&control.list_used, rows);
  row = __shfl_sync(kAllLanes, row, 0);
  if (row + rows > view.list_capacity || count > 0xffff) {
    atomicOr(&control.full, kListsFull);
    return;
  }
  if (i >= all) return;
  if (lane == 0) view.list_row[i / 32] = row;
  view.list_count[i] = static_cast<std::uint16_t>(count);
  std::uint32_t* to = view.list + std::size_t(row) * 32 + lane;
  for_near(view, i, [&](std::uint32_t neighbor) {
    *to = neighbor;
    to += 32;
  });
}

// Sums over the neighbours of a particle, as PairLoop has them. `Threads` share those of a
// particle: where there are few particles, one for each would leave most of the device idle.
template <class Kernel, class T, int D, int Threads>
class DevicePairs : public OneParticle<T> {
 public:
  using Pair = ScalarPair<T, D>;
  using S = T;

  __device__ explicit DevicePairs(const DeviceSphView<T, D>& view)
      : place_(view.place),
        list_(view.list),
        row_(view.list_row),
        count_(view.list_count),
        scale_(T(1 / view.context.norm)),
        slope_scale_(T(1 / view.context.moment)) {}

  template <class F>
  __device__ void operator()(std::size_t i, F&& f) const {
    const Four<T> here = place_[i];
    const std::uint32_t* list = list_ + std::size_t(row_[i / 32]) * 32 + i % 32;
    const int count = count_[i];
    for (int k = number(); k < count; k += Threads) {
      const std::uint32_t neighbor = list[k * 32];
      Pair pair;
      pair.number[0] = Neighbor::number(neighbor);
      const Four<T> there = place_[pair.number[0]];
      unsigned code = neighbor >> Neighbor::kNumberBits;
      T r2 = T(1e-24);
      for (int a = D - 1; a >= 0; --a) {
        const unsigned rest = code * 11 >> 5;  // a third, of what is below 32
        const int offset = (static_cast<int>(code - 3 * rest) - 1) * BlockShape<D>::kEdge;
        code = rest;
        pair.way[a] = (here[a] - there[a]) - T(offset);
        r2 += pair.way[a] * pair.way[a];
      }
      pair.r = sqrt_of(r2);
      pair.volume = there[3] * scale_;
      const T pull = pair.volume * slope_scale_ * slope_over_r(Kernel(), pair.r);
      for (int a = 0; a < D; ++a) pair.slope[a] = pull * pair.way[a];
      f(pair);
    }
  }

  // Of what the threads of a particle found, for all of them.
  __device__ T sum(T mine) const {
    for (int step = Threads / 2; step > 0; step /= 2) mine += __shfl_xor_sync(group(), mine, step);
    return mine;
  }
  __device__ T largest(T mine) const {
    for (int step = Threads / 2; step > 0; step /= 2)
      mine = max_of(mine, __shfl_xor_sync(group(), mine, step));
    return mine;
  }
  __device__ static bool leads() { return number() == 0; }

 private:
  // Those threads of the warp.
  __device__ static unsigned group() {
    return ((1ull << Threads) - 1) << (threadIdx.x % 32 / Threads * Threads);
  }
  __device__ static int number() { return threadIdx.x % Threads; }

  const Four<T>* place_;
  const std::uint32_t* list_;
  const std::uint32_t* row_;
  const std::uint16_t* count_;
  T scale_, slope_scale_;
};

}  // namespace firn
