// Loops and sums over the nodes of the grid for implicit steps. Sums are taken block by block, then
// over the blocks in the order of their keys: the same bytes, whatever numbers the blocks have and
// whichever thread comes first.
#pragma once

#include "mpm_cuda/device_tools.h"

namespace firn {

constexpr int kVectorThreads = 256;

// What sums over nodes need: a place for those of each block.
struct SumRoom {
  const std::int32_t* rank = nullptr;  // of each block among all, by key
  int blocks = 0;
  double* partial = nullptr;    // kMostSums of each block
  unsigned* arrived = nullptr;  // thread blocks that left theirs; zero between sums

  static constexpr int kMostSums = 4;
};

// Thread blocks that have a thread for every node.
template <int D>
int vector_groups(int blocks) {
  constexpr int kBlocks = kVectorThreads / BlockShape<D>::kNodes;
  return (blocks + kBlocks - 1) / kBlocks;
}
template <int D>
__device__ std::size_t own_node() {
  return std::size_t(blockIdx.x) * kVectorThreads + threadIdx.x;
}

// The sums of the terms of all nodes, and whether this thread is the one that gets them: the last
// that is there, once for each launch. Called by all threads; terms of threads that have no node
// are zero.
template <int D, int N>
__device__ bool sum_over_nodes(const SumRoom& room, const double (&term)[N], double (&total)[N]) {
  constexpr int kNodes = BlockShape<D>::kNodes, kWarps = kNodes / 32;
  static_assert(N <= SumRoom::kMostSums && kNodes % 32 == 0 && kVectorThreads % kNodes == 0);
  __shared__ double of_warp[kVectorThreads / 32][N];
  __shared__ bool is_last;
  const int thread = threadIdx.x;
  for (int c = 0; c < N; ++c) {
    const double sum = warp_sum(term[c]);
    if (thread % 32 == 0) of_warp[thread / 32][c] = sum;
  }
  __syncthreads();
  const std::size_t slot = own_node<D>() / kNodes;
  if (thread % kNodes == 0 && slot < room.blocks)
    for (int c = 0; c < N; ++c) {
      double sum = 0;
      for (int w = 0; w < kWarps; ++w) sum += of_warp[thread / 32 + w][c];
      room.partial[std::size_t(room.rank[slot]) * N + c] = sum;
    }
  __threadfence();
  __syncthreads();
  if (thread == 0) is_last = atomicAdd(room.arrived, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!is_last) return false;
  __threadfence();
  double sums[N] = {};
#pragma unroll 4
  for (int b = thread; b < room.blocks; b += kVectorThreads)
    for (int c = 0; c < N; ++c) sums[c] += __ldcg(room.partial + std::size_t(b) * N + c);
  for (int c = 0; c < N; ++c) {
    const double sum = warp_sum(sums[c]);
    if (thread % 32 == 0) of_warp[thread / 32][c] = sum;
  }
  __syncthreads();
  if (thread != 0) return false;
  *room.arrived = 0;
  for (int c = 0; c < N; ++c) {
    total[c] = 0;
    for (int w = 0; w < kVectorThreads / 32; ++w) total[c] += of_warp[w][c];
  }
  return true;
}

// The sums of an array, for thread 0 of the only thread block.
__device__ inline double sum_of_array(const double* values, int count) {
  __shared__ double of_warp[kVectorThreads / 32];
  double sum = 0;
  for (int i = threadIdx.x; i < count; i += kVectorThreads) sum += values[i];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  double total = 0;
  for (int w = 0; w < kVectorThreads / 32; ++w) total += of_warp[w];
  return total;
}
static __global__ void sum_array_kernel(const double* values, int count, double* total) {
  const double sum = sum_of_array(values, count);
  if (threadIdx.x == 0) *total = sum;
}

// act(node) for all nodes.
template <int D, class Act>
__global__ void __launch_bounds__(kVectorThreads)
    for_nodes_kernel(int blocks, const __grid_constant__ Act act) {
  const std::size_t i = own_node<D>();
  if (i < std::size_t(blocks) * BlockShape<D>::kNodes) act(i);
}
// totals[c] becomes the sum of what term(node, terms) leaves in terms[c].
template <int D, class Term>
__global__ void __launch_bounds__(kVectorThreads)
    sum_nodes_kernel(const __grid_constant__ SumRoom room, const __grid_constant__ Term term,
                     double* totals) {
  constexpr int N = Term::kSums;
  const std::size_t i = own_node<D>();
  double terms[N] = {}, total[N];
  if (i < std::size_t(room.blocks) * BlockShape<D>::kNodes) term(i, terms);
  if (!sum_over_nodes<D>(room, terms, total)) return;
  for (int c = 0; c < N; ++c) totals[c] = total[c];
}

}  // namespace firn
