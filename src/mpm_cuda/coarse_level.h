// A coarser grid (mpm/coarse_grid.h) in device memory: what kernels see of it. Its nodes are those
// with mass, in the order of its blocks (mpm/coarse_blocks.h). A group of kLanes threads has a node
// together, one for each of its neighbours: waiting for them one by one is what would take long.
#pragma once

#include "mpm/coarse_node.h"
#include "mpm_cuda/device_tools.h"

namespace firn {

template <class T, int D>
struct CoarseLevel {
  static constexpr int kNeighbors = CoarseShape<D>::kNeighbors, kCorners = CoarseShape<D>::kCorners;
  static constexpr int kMiddle = CoarseShape<D>::kMiddle, kEntries = SymMat<T, D>::kSize;
  static constexpr int kLanes = D == 3 ? 32 : 16;

  int nodes = 0;
  // kLanes of each node, by neighbour code, -1: none. Nodes around it, and those of the finer grid
  // around its place.
  std::int32_t *neighbors = nullptr, *finer = nullptr;
  // Of the nodes of the finer grid: the one that is the lowest corner of their cell, times
  // kCorners, and which child of it they are; -1 where they have no mass.
  std::int32_t* parents = nullptr;
  StiffMatter<T>* matter = nullptr;
  T* moduli = nullptr;   // bulk and shear of each part of the cell above the node
  T* stencil = nullptr;  // of each node: by column and row, kLanes each; with mass and springs
  // Symmetric matrices of each node: the elastic part of its own block, and the block's inverse.
  T *springs = nullptr, *elastic = nullptr, *inverse = nullptr;
  T* weight = nullptr;  // of smoothing steps, the same for all nodes
  DeviceNode<T>*b = nullptr, *x = nullptr, *y = nullptr, *r = nullptr;

  __device__ int neighbor(int n, int code) const { return neighbors[n * kLanes + code]; }
  __device__ int finer_of(int n, int code) const { return finer[n * kLanes + code]; }
  __device__ T& entry(int n, int code, int i, int j) const {
    return stencil[(std::size_t(n) * D * D + j * D + i) * kLanes + code];
  }
  __device__ T& modulus(int n, int part, int which) const {
    return moduli[(n * kCorners + part) * 2 + which];
  }
  __device__ SymMat<T, D> matrix(const T* of, int n) const {
    SymMat<T, D> m;
    for (int k = 0; k < kEntries; ++k) m.e[k] = of[n * kEntries + k];
    return m;
  }
  __device__ void store(T* of, int n, const SymMat<T, D>& m) const {
    for (int k = 0; k < kEntries; ++k) of[n * kEntries + k] = m.e[k];
  }
  __device__ bool is_left_out(int n) const { return inverse[n * kEntries] == T(0); }

  // The sum over a group.
  __device__ static T group_sum(T x) {
    for (int step = kLanes / 2; step > 0; step /= 2) x += __shfl_xor_sync(kAllLanes, x, step);
    return x;
  }
  __device__ static Vec<T, D> group_sum(Vec<T, D> v) {
    for (int a = 0; a < D; ++a) v[a] = group_sum(v[a]);
    return v;
  }
  // b - A x at a node, for all of its group.
  __device__ Vec<T, D> residual(int n, int lane, const DeviceNode<T>* values) const {
    Vec<T, D> product = Vec<T, D>::zero();
    const int at = lane < kNeighbors ? neighbor(n, lane) : -1;
    if (at >= 0) {
      const DeviceNode<T> there = load_node(values + at);
      for (int j = 0; j < D; ++j)
        for (int i = 0; i < D; ++i) product[i] += entry(n, lane, i, j) * there.e[j];
    }
    return velocity_of<T, D>(load_node(b + n)) - group_sum(product);
  }
  __device__ Vec<T, D> relaxed(int n, const Vec<T, D>& rest) const {
    const SymMat<T, D> m = matrix(inverse, n);
    const T w = *weight;
    Vec<T, D> r = Vec<T, D>::zero();
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) r[i] += w * (m(i, j) * rest[j]);
    return r;
  }
  // What the values of this grid's nodes are at node i of the finer one.
  __device__ Vec<T, D> at_finer(std::size_t i, const DeviceNode<T>* values) const {
    Vec<T, D> sum = Vec<T, D>::zero();
    const int parent = parents[i];
    if (parent < 0) return sum;
    const int n = parent / kCorners, child = parent % kCorners;
    // All are asked for before the first is used.
    DeviceNode<T> near[kCorners];
    T share[kCorners];
#pragma unroll
    for (int o = 0; o < kCorners; ++o) {
      share[o] = share_of_corner<T>(child, o);
      const int at = share[o] > T(0) ? neighbor(n, towards<D>(o)) : -1;
      near[o] = {};
      if (at >= 0) near[o] = load_node(values + at);
    }
#pragma unroll
    for (int o = 0; o < kCorners; ++o) sum = sum + velocity_of<T, D>(near[o]) * share[o];
    return sum;
  }
};

template <class T, int D>
__device__ void store_vector(DeviceNode<T>* at, const Vec<T, D>& v) {
  DeviceNode<T> node{};
  set_velocity(v, node);
  store_node(at, node);
}

constexpr int kCoarseThreads = 128;

// act(number) for all numbers; nothing where *stop is set.
template <class Act>
__global__ void __launch_bounds__(kCoarseThreads)
    coarse_kernel(int count, const __grid_constant__ Act act, const std::int32_t* stop) {
  const int n = blockIdx.x * kCoarseThreads + threadIdx.x;
  if (n < count && !(stop && *stop)) act(n);
}
// act(number, lane, whether to store) for groups of Act::kLanes, of which the first one stores;
// those beyond the end do the last number once more: shuffles need whole warps.
template <class Act>
__device__ void act_as_group(const Act& act, int count, int group, int lane) {
  act(group < count ? group : count - 1, lane, group < count && lane == 0);
}
template <class Act>
__global__ void __launch_bounds__(kCoarseThreads)
    group_kernel(int count, const __grid_constant__ Act act, const std::int32_t* stop) {
  if (stop && *stop) return;
  const int thread = blockIdx.x * kCoarseThreads + threadIdx.x;
  act_as_group(act, count, thread / Act::kLanes, thread % Act::kLanes);
}
template <class Act>
void for_coarse(int count, const Act& act, cudaStream_t stream,
                const std::int32_t* stop = nullptr) {
  if (count == 0) return;
  coarse_kernel<Act><<<(count + kCoarseThreads - 1) / kCoarseThreads, kCoarseThreads, 0, stream>>>(
      count, act, stop);
}
template <class Act>
void for_groups(int count, const Act& act, cudaStream_t stream,
                const std::int32_t* stop = nullptr) {
  constexpr int kGroups = kCoarseThreads / Act::kLanes;
  if (count == 0) return;
  group_kernel<Act>
      <<<(count + kGroups - 1) / kGroups, kCoarseThreads, 0, stream>>>(count, act, stop);
}

}  // namespace firn
