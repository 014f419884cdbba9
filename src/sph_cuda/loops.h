// The loops of a step in one kernel: all of its thread blocks run at once and wait for each other,
// so that neither the host nor the launch of a kernel stands between two iterations.
#pragma once

#include <cooperative_groups.h>

#include "sph/air_particle.h"
#include "sph/jitter_particle.h"
#include "sph/momentum_steps.h"
#include "sph/shift_loop.h"
#include "sph/stress_particle.h"
#include "sph_cuda/neighbors.h"

namespace firn {

constexpr int kLoopThreads = 256;
constexpr int kMostSums = 8;  // doubles of one

// Sums over all particles, in an order that only the number of thread blocks decides.
template <class Sums>
__device__ Sums sum_of_threads(Sums mine, Sums* scratch) {
  constexpr int kWords = sizeof(Sums) / sizeof(double);
  const auto over_warp = [](Sums sum) {
    for (int step = 16; step > 0; step /= 2) {
      Sums other;
      double* to = reinterpret_cast<double*>(&other);
      const double* from = reinterpret_cast<const double*>(&sum);
      for (int k = 0; k < kWords; ++k) to[k] = __shfl_down_sync(kAllLanes, from[k], step);
      sum.add(other);
    }
    return sum;
  };
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  mine = over_warp(mine);
  __syncthreads();
  if (lane == 0) scratch[warp] = mine;
  __syncthreads();
  if (warp == 0) {
    Sums sum = lane < kLoopThreads / 32 ? scratch[lane] : Sums{};
    sum = over_warp(sum);
    if (lane == 0) scratch[0] = sum;
  }
  __syncthreads();
  return scratch[0];
}

template <class Kernel, class T, int D, int Threads>
class SphLoops {
 public:
  __device__ explicit SphLoops(const DeviceSphView<T, D>& view)
      : view_(view), ctx_(view.now()), pairs_(view), count_(max_of(1.0, double(view.count))) {}

  __device__ void run() {
    SphControl& control = *view_.control;
    const DensitySums density = sum<DensitySums>([&](std::size_t i, DensitySums& sums) {
      measure_density_of<Kernel>(ctx_, view_, pairs_, i, sums);
    });
    if (view_.air) blow();
    damp_jitter();
    find_stress();
    const int shifts =
        run_shift_loop(*this, ctx_, static_cast<const SphView<T, D>&>(view_), pairs_, count_);
    if (blockIdx.x > 0 || threadIdx.x > 0) return;
    control.iterations += iterations_;
    control.shift_iterations += shifts;
    control.missed += !reached_;
    control.plastic = static_cast<unsigned long long>(yielding_);
    control.mean_density = max_of(control.mean_density, density.over / count_);
    control.max_density = max_of(control.max_density, density.most);
    control.strain_rate = max_of(control.strain_rate, strain_);
  }

  // For run_shift_loop too.
  template <class F>
  __device__ void for_all(F&& f) const {
    for (std::size_t i = first(); i < view_.count; i += stride()) f(i);
    cooperative_groups::this_grid().sync();
  }
  template <class Sums, class F>
  __device__ Sums sum(F&& f) const {
    static_assert(sizeof(Sums) <= kMostSums * sizeof(double));
    __shared__ double room[kLoopThreads / 32 * kMostSums];
    Sums* scratch = reinterpret_cast<Sums*>(room);
    Sums mine;
    for (std::size_t i = first(); i < view_.count; i += stride()) f(i, mine);
    mine = sum_of_threads(mine, scratch);
    Sums* partial = reinterpret_cast<Sums*>(view_.partial);
    if (threadIdx.x == 0) partial[blockIdx.x] = mine;
    cooperative_groups::this_grid().sync();
    Sums all;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) all.add(partial[b]);
    all = sum_of_threads(all, scratch);
    return all;
  }

 private:
  __device__ static std::size_t first() {
    return (std::size_t(blockIdx.x) * blockDim.x + threadIdx.x) / Threads;
  }
  __device__ static std::size_t stride() { return std::size_t(gridDim.x) * blockDim.x / Threads; }
  __device__ void blow() {
    const T cone = T(view_.air->cone_cosine);
    for_all([&](std::size_t i) {
      Vec<T, D> wind;
      for (int a = 0; a < D; ++a) wind[a] = view_.shift[i][a];
      blow_on(ctx_, view_, pairs_, T(view_.air->drag(double(view_.velocity[i][3]))), cone, i, wind);
    });
  }
  __device__ void damp_jitter() {
    for_all([&](std::size_t i) { find_velocity_of(ctx_, view_, pairs_, view_.stress, i, false); });
    for_all([&](std::size_t i) { fit_gradient_of(ctx_, view_, pairs_, i); });
    for_all([&](std::size_t i) { damp_jitter_of(ctx_, view_, pairs_, i); });
    for_all([&](std::size_t i) {
      start_limit_of(view_, pairs_, i);
      if (!pairs_.leads()) return;
      for (int four = 0; four < kStressFours<D>; ++four)
        view_.leading[i * kStressFours<D> + four] = view_.stress[i * kStressFours<D> + four];
    });
  }
  __device__ void find_stress() {
    MomentumSteps momentum;
    double against = 0;
    for (;;) {
      for_all(
          [&](std::size_t i) { find_velocity_of(ctx_, view_, pairs_, view_.leading, i, false); });
      const T ahead = T(momentum.next(against));
      const RateSums sums = sum<RateSums>([&](std::size_t i, RateSums& of_thread) {
        improve_stress_of(ctx_, view_, pairs_, ahead, i, of_thread);
      });
      against = sums.against;
      ++iterations_;
      const StressErrors left(sums, ctx_, count_);
      strain_ = left.strain;
      yielding_ = sums.yielding;
      reached_ = left.reached;
      if (iterations_ >= ctx_.fewest_iterations() && reached_) break;
      if (iterations_ >= ctx_.max_iterations) break;
    }
    for_all([&](std::size_t i) { find_velocity_of(ctx_, view_, pairs_, view_.stress, i, true); });
  }

  const DeviceSphView<T, D>& view_;
  const SphContext<T> ctx_;
  const DevicePairs<Kernel, T, D, Threads> pairs_;
  const double count_;
  int iterations_ = 0;
  double strain_ = 0, yielding_ = 0;
  bool reached_ = true;
};

template <class Kernel, class T, int D, int Threads>
__global__ void __launch_bounds__(kLoopThreads)
    loops_kernel(const __grid_constant__ DeviceSphView<T, D> view) {
  if (!view.goes_on() || view.count == 0) return;
  SphLoops<Kernel, T, D, Threads>(view).run();
}

}  // namespace firn
