// Coarser grids on a device, from the matter of the nodes of the grid itself: what CoarseGrid does
// on the CPU.
#pragma once

#include "mpm_cuda/coarse_cycle.h"
#include "mpm_cuda/topology.h"

namespace firn {

// Nodes of a level by block and place, before those with mass have numbers.
template <int D>
struct CoarsePlaces {
  static constexpr int kNodes = BlockShape<D>::kNodes, kEdge = BlockShape<D>::kEdge;
  static constexpr int kNeighbors = BlockShape<D>::kNeighbors;

  int blocks = 0;
  const std::int32_t *neighbors = nullptr, *finer = nullptr;  // as CoarseBlocks has them
  std::int32_t* numbers = nullptr;                            // of nodes; -1: no mass
  std::int32_t* first = nullptr;                              // number in each block

  // The node by a step from node i, times `scale`, in the blocks around its own; -1: no block.
  __device__ static std::int64_t step(const std::int32_t* around, std::int64_t i, int scale,
                                      int code) {
    const std::int64_t block = i / kNodes;
    int rest = int(i % kNodes), of_block = 0, place = 0;
    for (int a = D - 1, threes = 1, edges = 1; a >= 0; --a, threes *= 3, edges *= kEdge) {
      const int at = scale * (rest % kEdge) + code % 3 - 1;
      const int beyond = at < 0 ? -1 : at >= kEdge ? 1 : 0;
      of_block += (beyond + 1) * threes;
      place += (at - beyond * kEdge) * edges;
      rest /= kEdge;
      code /= 3;
    }
    const std::int32_t found = around[block * kNeighbors + of_block];
    return found < 0 ? -1 : std::int64_t(found) * kNodes + place;
  }
  __device__ int neighbor(std::int64_t i, int code) const {
    const std::int64_t at = step(neighbors, i, 1, code);
    return at < 0 ? -1 : numbers[at];
  }
  __device__ std::int64_t finer_of(std::int64_t i, int code) const {
    return step(finer, i, 2, code);
  }
};

// Nodes of the finer grid: which of them have mass, and their numbers.
template <class T>
struct FinerNodes {
  const T* mass = nullptr;                // of the grid itself, else null
  const std::int32_t* numbers = nullptr;  // of coarser ones

  __device__ int number(std::int64_t i) const {
    if (i < 0) return -1;
    if (mass) return mass[i] > T(0) ? static_cast<int>(i) : -1;
    return numbers[i];
  }
};

// Which nodes have mass: those get 0, others -1; first[block]: how many there are. A block each.
template <class T, int D>
__global__ void __launch_bounds__(BlockShape<D>::kNodes)
    flag_coarse_kernel(const __grid_constant__ CoarsePlaces<D> places, FinerNodes<T> finer) {
  const std::int64_t i = std::int64_t(blockIdx.x) * places.kNodes + threadIdx.x;
  bool any = false;
  for (int code = 0; code < places.kNeighbors && !any; ++code)
    any = finer.number(places.finer_of(i, code)) >= 0;
  places.numbers[i] = any ? 0 : -1;
  const int count = __syncthreads_count(any);
  if (threadIdx.x == 0) places.first[blockIdx.x] = count;
}
// Counts become the first numbers; one thread block a level. totals[level]: all nodes.
template <int D>
struct AllPlaces {
  CoarsePlaces<D> levels[kMostCoarse];
};
template <int D>
__global__ void __launch_bounds__(kNumberThreads)
    count_coarse_kernel(const __grid_constant__ AllPlaces<D> all, std::int32_t* totals) {
  __shared__ unsigned scratch[33];
  const CoarsePlaces<D>& places = all.levels[blockIdx.x];
  const unsigned total = for_each_with_sum(
      places.blocks, scratch, [&](int block) { return unsigned(places.first[block]); },
      [&](int block, unsigned before) { places.first[block] = int(before); });
  if (threadIdx.x == 0) totals[blockIdx.x] = int(total);
}
template <int D>
__global__ void __launch_bounds__(BlockShape<D>::kNodes)
    number_coarse_kernel(const __grid_constant__ CoarsePlaces<D> places) {
  __shared__ unsigned of_warp[BlockShape<D>::kNodes / 32];
  const std::int64_t i = std::int64_t(blockIdx.x) * places.kNodes + threadIdx.x;
  const bool any = places.numbers[i] >= 0;
  const unsigned mask = __ballot_sync(kAllLanes, any);
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (lane == 0) of_warp[warp] = mask;
  __syncthreads();
  if (!any) return;
  int number = places.first[blockIdx.x] + __popc(mask & ((1u << lane) - 1));
  for (int w = 0; w < warp; ++w) number += __popc(of_warp[w]);
  places.numbers[i] = number;
}

// Tables of a level from those of its blocks.
template <class T, int D>
struct LinkCoarse {
  static constexpr int kLanes = CoarseLevel<T, D>::kLanes;
  CoarsePlaces<D> places;
  FinerNodes<T> finer;
  CoarseLevel<T, D> level;

  __device__ void operator()(int i, int lane, bool) const {
    const int n = places.numbers[i];
    if (n < 0 || lane >= level.kNeighbors) return;
    const int from = finer.number(places.finer_of(i, lane));
    level.neighbors[n * kLanes + lane] = places.neighbor(i, lane);
    level.finer[n * kLanes + lane] = from;
    for (int child = 0; child < level.kCorners; ++child)
      if (towards<D>(child) == lane && from >= 0) level.parents[from] = n * level.kCorners + child;
  }
};

// What nodes of the grid itself carry, and of coarser ones.
template <class T>
struct FinestMatter {
  const T* mass;
  const DeviceNode<T>*bulk, *shear;  // in the lanes of mass
  T share;

  __device__ StiffMatter<T> operator()(int i) const {
    return {mass[i], share * bulk[i].e[kMassLane], share * shear[i].e[kMassLane]};
  }
};
template <class T>
struct CoarserMatter {
  const StiffMatter<T>* of;

  __device__ StiffMatter<T> operator()(int i) const { return of[i]; }
};
template <class T, int D, class Finer>
struct SumMatter {
  static constexpr int kLanes = CoarseLevel<T, D>::kLanes;
  CoarseLevel<T, D> level;
  Finer finer;
  T scale;  // 1 / (spacing^2 2^D), of the finer grid

  __device__ void operator()(int n, int lane, bool stores) const {
    StiffMatter<T> sum;
    const int at = lane < level.kNeighbors ? level.finer_of(n, lane) : -1;
    if (at >= 0) {
      const T share = share_of_finer<T, D>(lane);
      const StiffMatter<T> from = finer(at);
      sum = {share * from.mass, share * from.bulk, share * from.shear};
    }
    sum = {level.group_sum(sum.mass), level.group_sum(sum.bulk), level.group_sum(sum.shear)};
    if (stores) level.matter[n] = sum;
    if (lane < level.kCorners) find_moduli(n, lane);
  }
  // Of a part all of whose corners are there.
  __device__ void find_moduli(int n, int part) const {
    T bulk = T(0), shear = T(0);
    bool whole = true;
    for (int o = 0; o < level.kCorners && whole; ++o) {
      int owner, code;
      owner_in_cell<D>(corner_of_part<D>(part, o), owner, code);
      const int neighbor = level.neighbor(n, owner);
      const int at = neighbor < 0 ? -1 : level.finer_of(neighbor, code);
      whole = at >= 0;
      if (!whole) continue;
      const StiffMatter<T> from = finer(at);
      bulk += from.bulk;
      shear += from.shear;
    }
    level.modulus(n, part, 0) = whole ? scale * bulk : T(0);
    level.modulus(n, part, 1) = whole ? scale * shear : T(0);
  }
};

// One block of the matrix: of a node and one of its neighbours.
template <class T, int D>
struct AssembleBlock {
  CoarseLevel<T, D> level;

  __device__ void operator()(int number) const {
    const int n = number / level.kNeighbors, code = number % level.kNeighbors;
    T block[D][D] = {};  // columns
    for (int corner = 0; corner < level.kCorners; ++corner)
      for (int other = 0; other < level.kCorners; ++other)
        if (between_corners<D>(corner, other) == code) add_cell(n, corner, other, block);
    for (int j = 0; j < D; ++j)
      for (int i = 0; i < D; ++i) level.entry(n, code, i, j) = block[j][i];
    if (code != level.kMiddle) return;
    SymMat<T, D> own;
    for (int i = 0; i < D; ++i)
      for (int j = i; j < D; ++j) own(i, j) = block[j][i];
    level.store(level.elastic, n, own);
  }
  // The cell of which the node is this corner.
  __device__ void add_cell(int n, int corner, int other, T (&block)[D][D]) const {
    const int cell = level.neighbor(n, level.kNeighbors - 1 - towards<D>(corner));
    if (cell < 0) return;
    T sum[D][D] = {};
    for (int part = 0; part < level.kCorners; ++part) {
      const T bulk = level.modulus(cell, part, 0);
      const T shear = level.modulus(cell, part, 1);
      const Vec<T, D> a = part_gradient<T, D>(part, corner), b = part_gradient<T, D>(part, other);
      for (int j = 0; j < D; ++j)
        for (int i = 0; i < D; ++i)
          sum[j][i] += bulk * bulk_entry(a, b, i, j) + shear * shear_entry(a, b, i, j);
    }
    for (int j = 0; j < D; ++j)
      for (int i = 0; i < D; ++i) block[j][i] += sum[j][i];
  }
};

// Springs, kg, of the nodes of the grid itself, and of coarser ones; none at all.
template <class T, int D>
struct FinestSprings {
  const SymMat<T, D>* of;

  __device__ SymMat<T, D> operator()(int i) const { return of[i]; }
};
template <class T, int D>
struct CoarserSprings {
  CoarseLevel<T, D> of;

  __device__ SymMat<T, D> operator()(int i) const { return of.matrix(of.springs, i); }
};
template <class T, int D>
struct NoSprings {
  __device__ SymMat<T, D> operator()(int) const { return SymMat<T, D>::isotropic(T(0)); }
};
template <class T, int D, class Finer>
struct SetSprings {
  static constexpr int kLanes = CoarseLevel<T, D>::kLanes;
  CoarseLevel<T, D> level;
  Finer finer;

  __device__ void operator()(int n, int lane, bool stores) const {
    SymMat<T, D> sum = SymMat<T, D>::isotropic(T(0));
    const int at = lane < level.kNeighbors ? level.finer_of(n, lane) : -1;
    if (at >= 0) {
      const T share = share_of_finer<T, D>(lane);
      sum = finer(at);
      for (int k = 0; k < level.kEntries; ++k) sum.e[k] *= share;
    }
    for (int k = 0; k < level.kEntries; ++k) sum.e[k] = level.group_sum(sum.e[k]);
    if (!stores) return;
    level.store(level.springs, n, sum);
    const SymMat<T, D> elastic = level.matrix(level.elastic, n);
    const OwnBlock<D> own =
        own_block<T, D>([&](int i, int j) { return elastic(i, j); }, sum, level.matter[n].mass);
    SymMat<T, D> inverse;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) {
        level.entry(n, level.kMiddle, i, j) = T(own.whole(i, j));
        inverse(i, j) = T(own.inverse(i, j));
      }
    level.store(level.inverse, n, inverse);
  }
};

// The largest eigenvalue of D^-1 A by the power method from numbers that look random: x goes to y.
template <class T, int D>
struct BeginPowers {
  CoarseLevel<T, D> level;

  __device__ void operator()(int n) const {
    Vec<T, D> v;
    for (int a = 0; a < D; ++a) {
      const unsigned mixed = (unsigned(n) * D + a + 1) * 2654435761u;
      v[a] = level.is_left_out(n) ? T(0) : T(int(mixed >> 16 & 1023) - 512) / T(512);
    }
    store_vector<T, D>(level.b + n, Vec<T, D>::zero());
    store_vector<T, D>(level.x + n, v);
    if (n == 0) *level.weight = T(-1);
  }
};
template <class T, int D>
struct NextPower {
  static constexpr int kLanes = CoarseLevel<T, D>::kLanes;
  CoarseLevel<T, D> level;
  const DeviceNode<T>* from;
  DeviceNode<T>* to;

  __device__ void operator()(int n, int lane, bool stores) const {
    const Vec<T, D> next = level.relaxed(n, level.residual(n, lane, from));
    if (stores) store_vector<T, D>(to + n, next);
  }
};
constexpr int kPowers = 9;  // an odd number: the last one is in y

// The weight of smoothing steps from the last two powers. No eigenvalue is larger than the number
// of corners of a cell.
template <class T, int D>
__device__ void find_weight(const CoarseLevel<T, D>& level) {
  __shared__ double of_warp[2][kTailThreads / 32];
  double before = 0, after = 0;
  for (int n = threadIdx.x; n < level.nodes; n += kTailThreads) {
    const DeviceNode<T> x = load_node(level.x + n), y = load_node(level.y + n);
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) {
        const auto own = double(level.entry(n, level.kMiddle, i, j));
        before += double(x.e[i]) * own * double(x.e[j]);
        after += double(y.e[i]) * own * double(y.e[j]);
      }
  }
  const double sums[2] = {warp_sum(before), warp_sum(after)};
  for (int c = 0; c < 2; ++c)
    if (threadIdx.x % 32 == 0) of_warp[c][threadIdx.x / 32] = sums[c];
  __syncthreads();
  if (threadIdx.x > 0) return;
  before = after = 0;
  for (int w = 0; w < kTailThreads / 32; ++w) {
    before += of_warp[0][w];
    after += of_warp[1][w];
  }
  double largest = before > 0 ? 1.1 * sqrt(after / before) : 1.0;
  largest = min_of(max_of(largest, 1.0), double(level.kCorners));
  *level.weight = T(8 / (5 * largest));  // evens out what is above a quarter of it
}
template <class T, int D>
__global__ void __launch_bounds__(kTailThreads)
    weight_kernel(const __grid_constant__ CoarseLevel<T, D> level) {
  find_weight(level);
}
template <class T, int D>
__global__ void __launch_bounds__(kTailThreads)
    tail_weights_kernel(const __grid_constant__ CoarseTail<T, D> tail) {
  const CoarseLevel<T, D>& level = tail.levels[blockIdx.x];
  for_tail_groups(level.nodes, SetSprings<T, D, NoSprings<T, D>>{level, {}});
  for_tail(level.nodes, BeginPowers<T, D>{level});
  for (int k = 0; k < kPowers; ++k)
    for_tail_groups(level.nodes,
                    NextPower<T, D>{level, k % 2 ? level.y : level.x, k % 2 ? level.x : level.y});
  find_weight(level);
}

}  // namespace firn
