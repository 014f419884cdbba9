// A coarser grid (mpm/coarse_grid.h) in device memory: what kernels see of it. Its nodes are those
// with mass, in the order of its blocks (mpm/coarse_blocks.h); arrays of several numbers a node
// have them one after the other, for all nodes each.
#pragma once

#include "mpm/coarse_node.h"
#include "mpm_cuda/device_tools.h"

namespace firn {

template <class T, int D>
struct CoarseLevel {
  static constexpr int kNeighbors = CoarseShape<D>::kNeighbors, kCorners = CoarseShape<D>::kCorners;
  static constexpr int kMiddle = CoarseShape<D>::kMiddle, kEntries = SymMat<T, D>::kSize;

  int nodes = 0;
  // By neighbour code, -1: none. Nodes around a node, and those of the finer grid around its place.
  std::int32_t *neighbors = nullptr, *finer = nullptr;
  // Of the nodes of the finer grid: the one that is the lowest corner of their cell, times
  // kCorners, and which child of it they are; -1 where they have no mass.
  std::int32_t* parents = nullptr;
  StiffMatter<T>* matter = nullptr;
  T* moduli = nullptr;   // bulk and shear of each part of the cell above the node
  T* stencil = nullptr;  // by neighbour, column and row
  T *springs = nullptr, *own = nullptr, *inverse = nullptr;
  T* weight = nullptr;  // of smoothing steps, the same for all nodes
  DeviceNode<T>*b = nullptr, *x = nullptr, *y = nullptr, *r = nullptr;

  __device__ int neighbor(int n, int code) const { return neighbors[code * nodes + n]; }
  __device__ int finer_of(int n, int code) const { return finer[code * nodes + n]; }
  __device__ T entry(int n, int code, int i, int j) const {
    return stencil[std::size_t((code * D + j) * D + i) * nodes + n];
  }
  __device__ SymMat<T, D> matrix(const T* of, int n) const {
    SymMat<T, D> m;
    for (int k = 0; k < kEntries; ++k) m.e[k] = of[k * nodes + n];
    return m;
  }
  __device__ void store(T* of, int n, const SymMat<T, D>& m) const {
    for (int k = 0; k < kEntries; ++k) of[k * nodes + n] = m.e[k];
  }
  __device__ bool is_left_out(int n) const { return inverse[n] == T(0); }

  // b - A x at a node.
  __device__ Vec<T, D> residual(int n, const DeviceNode<T>* values) const {
    Vec<T, D> sum = velocity_of<T, D>(load_node(b + n));
    Vec<T, D> product = Vec<T, D>::zero();
#pragma unroll 3
    for (int code = 0; code < kNeighbors; ++code) {
      const int at = code == kMiddle ? -1 : neighbor(n, code);
      if (at < 0) continue;
      const DeviceNode<T> there = load_node(values + at);
      for (int j = 0; j < D; ++j)
        for (int i = 0; i < D; ++i) product[i] += entry(n, code, i, j) * there.e[j];
    }
    const SymMat<T, D> here = matrix(own, n);
    const DeviceNode<T> value = load_node(values + n);
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) product[i] += here(i, j) * value.e[j];
    return sum - product;
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
    for (int o = 0; o < kCorners; ++o) {
      const T share = share_of_corner<T>(child, o);
      if (!(share > T(0))) continue;
      const int at = neighbor(n, towards<D>(o));
      if (at >= 0) sum = sum + velocity_of<T, D>(load_node(values + at)) * share;
    }
    return sum;
  }
};

template <class T, int D>
__device__ void store_vector(DeviceNode<T>* at, const Vec<T, D>& v) {
  DeviceNode<T> node{};
  set_velocity(v, node);
  store_node(at, node);
}

constexpr int kCoarseThreads = 64;

// act(number) for all numbers; nothing where *stop is set.
template <class Act>
__global__ void __launch_bounds__(kCoarseThreads)
    coarse_kernel(int count, const __grid_constant__ Act act, const std::int32_t* stop) {
  const int n = blockIdx.x * kCoarseThreads + threadIdx.x;
  if (n < count && !(stop && *stop)) act(n);
}
template <class Act>
void for_coarse(int count, const Act& act, cudaStream_t stream,
                const std::int32_t* stop = nullptr) {
  if (count == 0) return;
  coarse_kernel<Act><<<(count + kCoarseThreads - 1) / kCoarseThreads, kCoarseThreads, 0, stream>>>(
      count, act, stop);
}

}  // namespace firn
