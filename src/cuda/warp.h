// Small device functions of any kernel: what the threads of a warp or of a block find together.
#pragma once

#include "base/math.h"

namespace firn {

constexpr unsigned kAllLanes = 0xffffffffu;

// Loads that stay where they are written, however long it takes until the value is used.
__device__ inline float load_now(const float* at) {
  float value;
  asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(at));
  return value;
}
__device__ inline double load_now(const double* at) {
  double value;
  asm volatile("ld.global.f64 %0, [%1];" : "=d"(value) : "l"(at));
  return value;
}

template <class V>
__device__ inline V warp_max(V x) {
  for (int step = 16; step > 0; step /= 2) x = max_of(x, __shfl_xor_sync(kAllLanes, x, step));
  return x;
}
// The least and the largest integer of a warp: one instruction from Ampere on.
__device__ inline int warp_least(int x) {
#if __CUDA_ARCH__ >= 800
  return __reduce_min_sync(kAllLanes, x);
#else
  for (int step = 16; step > 0; step /= 2) x = min(x, __shfl_xor_sync(kAllLanes, x, step));
  return x;
#endif
}
__device__ inline int warp_largest(int x) {
#if __CUDA_ARCH__ >= 800
  return __reduce_max_sync(kAllLanes, x);
#else
  for (int step = 16; step > 0; step /= 2) x = max(x, __shfl_xor_sync(kAllLanes, x, step));
  return x;
#endif
}
template <class V>
__device__ inline V warp_sum(V x) {
  for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(kAllLanes, x, step);
  return x;
}
// Sum over the lanes up to this one.
__device__ inline unsigned warp_running_sum(unsigned x) {
  const int lane = threadIdx.x % 32;
  for (int step = 1; step < 32; step *= 2) {
    const unsigned other = __shfl_up_sync(kAllLanes, x, step);
    if (lane >= step) x += other;
  }
  return x;
}
// Sum over the threads before this one, and the sum of all. `scratch` holds 33 values.
__device__ inline unsigned running_sum_before(unsigned x, unsigned* scratch, unsigned& total) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const unsigned upto = warp_running_sum(x);
  if (lane == 31) scratch[warp] = upto;
  __syncthreads();
  if (warp == 0) {
    const unsigned mine = lane < warps ? scratch[lane] : 0, sum = warp_running_sum(mine);
    scratch[lane] = sum - mine;
    if (lane == 31) scratch[32] = sum;
  }
  __syncthreads();
  const unsigned before = scratch[warp] + upto - x;
  total = scratch[32];
  __syncthreads();
  return before;
}

__device__ inline void keep_max(unsigned long long* at, double value) {
  // What is not a number is no maximum; it shows as a bad particle.
  if (value > 0) atomicMax(at, static_cast<unsigned long long>(__double_as_longlong(value)));
}

}  // namespace firn
