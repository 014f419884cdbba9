// What is put on the stream for a step, and for a sort with the lists of neighbours.
#pragma once

#include "sph/smoothing.h"
#include "sph/sph_settings.h"
#include "sph_cuda/loops.h"
#include "sph_cuda/stages.h"
#include "sph_cuda/store.h"

namespace firn {

template <class T, int D>
class SphLaunches {
  using View = DeviceSphView<T, D>;

 public:
  SphLaunches(SmoothingKind kernel, cudaStream_t stream) : stream_(stream) {
    with_smoothing<D>(kernel, [&](auto chosen) {
      few_.kernel = loops_kernel<decltype(chosen), T, D, kThreadsOfFew>;
      many_.kernel = loops_kernel<decltype(chosen), T, D, 1>;
    });
    int device = 0;
    must(cudaGetDevice(&device), "asking for the device");
    must(cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, device),
         "asking for the device");
    for (Loops* loops : {&few_, &many_}) {
      int each = 0;
      must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, loops->kernel, kLoopThreads, 0),
           "asking for the device");
      loops->blocks = each * processors_;
    }
  }
  std::size_t most_partial_sums() const {
    return std::size_t(std::max(few_.blocks, many_.blocks)) * kMostSums;
  }
  cudaStream_t stream() const { return stream_; }

  void begin(const View& view) const {
    begin_step_kernel<T, D><<<1, 1, 0, stream_>>>(view);
    check("a step");
  }
  void step(View& view, bool pushes, const SphConditions& conditions) const {
    const int threads = of_particles(view);
    if (view.bodies_move) list_obstacles(view);
    find_walls_kernel<T, D><<<threads, kSphThreads, 0, stream_>>>(view);
    if (pushes) push_kernel<T, D><<<threads, kSphThreads, 0, stream_>>>(view);
    predict_kernel<T, D><<<threads, kSphThreads, 0, stream_>>>(view);
    if (view.air) wind_kernel<T, D><<<threads, kSphThreads, 0, stream_>>>(view);
    run_loops(view);
    if (view.collider_count > 0) loads_kernel<T, D><<<threads, kSphThreads, 0, stream_>>>(view);
    move_kernel<T, D><<<threads, kSphThreads, 0, stream_>>>(view);
    end_step_kernel<T, D><<<1, 1, 0, stream_>>>(view, conditions);
    check("a step");
  }
  void sort(const View& view, SphStore<T, D>& store, const SphConditions& conditions) const {
    const int particles = of_particles(view), some = 4 * processors_;
    begin_sort_kernel<T, D><<<1, 1, 0, stream_>>>(view);
    store.clear_table();
    claim_blocks_kernel<T, D><<<particles, kSphThreads, 0, stream_>>>(view);
    number_blocks<D>(view, some, stream_);
    count_cells_kernel<T, D><<<particles, kSphThreads, 0, stream_>>>(view);
    begin_cells<D>(view, some, stream_);
    fill_cells_kernel<T, D><<<particles, kSphThreads, 0, stream_>>>(view);
    order_cells_kernel<T, D><<<some, kSphThreads, 0, stream_>>>(view);
    set_aside_kernel<T, D><<<particles, kSphThreads, 0, stream_>>>(view);
    put_back_kernel<T, D><<<particles, kSphThreads, 0, stream_>>>(view);
    link_blocks<D>(view, view, view.neighbors, some, stream_);
    find_corners<D>(view, some, stream_);
    list_neighbors_kernel<T, D><<<particles, kSphThreads, 0, stream_>>>(view);
    list_obstacles(view);
    end_sort_kernel<T, D><<<1, 1, 0, stream_>>>(view, conditions);
    check("a sort");
  }

 private:
  struct Loops {
    void (*kernel)(const View) = nullptr;
    int blocks = 0;  // that run at once
  };
  // Fewer particles than this share several threads each.
  static constexpr std::size_t kFew = 200'000;
  static constexpr int kThreadsOfFew = 8;

  void run_loops(View& view) const {
    const bool few = view.count < kFew;
    const Loops& loops = few ? few_ : many_;
    const std::size_t threads = view.count * (few ? kThreadsOfFew : 1);
    const int wanted = static_cast<int>((threads + kLoopThreads - 1) / kLoopThreads);
    void* arguments[] = {&view};
    must(
        cudaLaunchCooperativeKernel(loops.kernel, dim3(std::max(1, std::min(loops.blocks, wanted))),
                                    dim3(kLoopThreads), arguments, 0, stream_),
        "a step");
  }
  static int of_particles(const View& view) {
    return std::max(1, static_cast<int>((view.count + kSphThreads - 1) / kSphThreads));
  }
  void list_obstacles(const View& view) const {
    near_blocks_kernel<T, D><<<4 * processors_, kSphThreads, 0, stream_>>>(view);
  }
  static void check(const char* what) { must(cudaGetLastError(), what); }

  cudaStream_t stream_;
  Loops few_, many_;
  int processors_ = 0;
};

}  // namespace firn
