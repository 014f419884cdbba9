// A V-cycle over coarser grids on a device. Smoothing steps are of Jacobi's kind, which need no
// order: weighted by the largest eigenvalue, one before and one after the coarser grids.
#pragma once

#include "mpm/coarse_blocks.h"
#include "mpm_cuda/coarse_level.h"

namespace firn {

// The right side of a level from the residual of the finer one, and a first step from zero.
template <class T, int D>
struct RestrictResidual {
  static constexpr int kLanes = CoarseLevel<T, D>::kLanes;
  CoarseLevel<T, D> level;
  const DeviceNode<T>* from;
  const T* mass;  // which the finer residual is to be multiplied with, or null

  __device__ void operator()(int n, int lane, bool stores) const {
    Vec<T, D> given = Vec<T, D>::zero();
    const int at = lane < level.kNeighbors ? level.finer_of(n, lane) : -1;
    if (at >= 0) {
      const T share = share_of_finer<T, D>(lane);
      given = velocity_of<T, D>(load_node(from + at)) * (mass ? share * mass[at] : share);
    }
    const Vec<T, D> sum = level.group_sum(given), start = level.relaxed(n, sum);
    if (!stores) return;
    store_vector<T, D>(level.b + n, sum);
    store_vector<T, D>(level.x + n, start);
  }
};
template <class T, int D>
struct FindResidual {
  static constexpr int kLanes = CoarseLevel<T, D>::kLanes;
  CoarseLevel<T, D> level;

  __device__ void operator()(int n, int lane, bool stores) const {
    const Vec<T, D> rest = level.residual(n, lane, level.x);
    if (stores) store_vector<T, D>(level.r + n, level.is_left_out(n) ? Vec<T, D>::zero() : rest);
  }
};
// What the next coarser grid found, in its y, comes to x.
template <class T, int D>
struct AddCoarser {
  CoarseLevel<T, D> level, coarser;

  __device__ void operator()(int n) const {
    if (level.is_left_out(n)) return;
    const Vec<T, D> value = velocity_of<T, D>(load_node(level.x + n));
    store_vector<T, D>(level.x + n, value + coarser.at_finer(n, coarser.y));
  }
};
template <class T, int D>
struct SmoothStep {
  static constexpr int kLanes = CoarseLevel<T, D>::kLanes;
  CoarseLevel<T, D> level;
  const DeviceNode<T>* from;
  DeviceNode<T>* to;

  __device__ void operator()(int n, int lane, bool stores) const {
    const Vec<T, D> value = velocity_of<T, D>(load_node(from + n));
    const Vec<T, D> step = level.relaxed(n, level.residual(n, lane, from));
    if (stores) store_vector<T, D>(to + n, value + step);
  }
};

// The last levels, which one thread block does together, and the inverse of the coarsest one.
template <class T, int D>
struct CoarseTail {
  static constexpr int kSmoothsAtTheEnd = 15;  // an odd number

  int count = 0, unknowns = 0;  // the latter 0: the coarsest grid is too large for an inverse
  const double* inverse = nullptr;
  CoarseLevel<T, D> levels[kMostCoarse];
};

constexpr int kTailThreads = 1024;

// act(number) for all numbers, by all threads of the only block.
template <class Act>
__device__ void for_tail(int count, const Act& act) {
  for (int n = threadIdx.x; n < count; n += kTailThreads) act(n);
  __syncthreads();
}

// act(number, lane, whether to store), by groups of them.
template <class Act>
__device__ void for_tail_groups(int count, const Act& act) {
  constexpr int kGroups = kTailThreads / Act::kLanes;
  for (int base = 0; base < count; base += kGroups)
    act_as_group(act, count, base + threadIdx.x / Act::kLanes, threadIdx.x % Act::kLanes);
  __syncthreads();
}

// The solution of the coarsest grid to its y, a row a warp.
template <class T, int D>
__device__ void solve_coarsest(const CoarseTail<T, D>& tail) {
  const CoarseLevel<T, D>& last = tail.levels[tail.count - 1];
  for (int k = 0; k < tail.kSmoothsAtTheEnd && tail.unknowns == 0; ++k)
    for_tail_groups(last.nodes,
                    SmoothStep<T, D>{last, k % 2 ? last.y : last.x, k % 2 ? last.x : last.y});
  const int lane = threadIdx.x % 32;
  for (int row = threadIdx.x / 32; row < tail.unknowns; row += kTailThreads / 32) {
    double sum = 0;
    for (int k = lane; k < tail.unknowns; k += 32)
      sum += tail.inverse[row * tail.unknowns + k] * double(last.b[k / D].e[k % D]);
    sum = warp_sum(sum);
    if (lane == 0) last.y[row / D].e[row % D] = T(sum);
  }
  __syncthreads();
}

template <class T, int D>
__global__ void __launch_bounds__(kTailThreads)
    tail_kernel(const __grid_constant__ CoarseTail<T, D> tail, const DeviceNode<T>* from,
                const T* mass, const std::int32_t* stop) {
  if (stop && *stop) return;
  for (int l = 0; l < tail.count; ++l) {
    const CoarseLevel<T, D>& level = tail.levels[l];
    for_tail_groups(level.nodes, RestrictResidual<T, D>{level, l == 0 ? from : tail.levels[l - 1].r,
                                                        l == 0 ? mass : nullptr});
    if (l + 1 < tail.count) for_tail_groups(level.nodes, FindResidual<T, D>{level});
  }
  solve_coarsest(tail);
  for (int l = tail.count - 2; l >= 0; --l) {
    const CoarseLevel<T, D>& level = tail.levels[l];
    for_tail(level.nodes, AddCoarser<T, D>{level, tail.levels[l + 1]});
    for_tail_groups(level.nodes, SmoothStep<T, D>{level, level.x, level.y});
  }
}

}  // namespace firn
