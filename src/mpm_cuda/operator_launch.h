// The steps between particles and nodes one by one (mpm/operators.h), put on a stream: for
// integrators that need them apart. Any arrays of nodes may be fields.
#pragma once

#include "cuda/memory.h"
#include "mpm_cuda/gather_split.h"
#include "mpm_cuda/merge.h"
#include "mpm_cuda/scatter_gradient.h"
#include "mpm_cuda/transfer_launch.h"

namespace firn {

template <class T, int D>
class OperatorLaunches {
 public:
  OperatorLaunches(const MpmSettings& settings, cudaStream_t stream)
      : settings_(settings), arenas_(uses_arenas<T, D>(settings)), stream_(stream) {
    TransferLaunches<T, D>::prepare(settings);
    for_each_rows([&](auto kernel, auto rows) {
      using Kernel = decltype(kernel);
      using Rows = decltype(rows);
      if (arenas_)
        allow_shared_memory(scatter_fixed_kernel<T, D, Kernel, Rows>,
                            FixedLayout<T, D, Kernel, Rows>::kBytes);
      else
        allow_shared_memory(scatter_kernel<T, D, Kernel, Rows>,
                            ScatterLayout<T, D, Kernel, Rows>::kBytes);
    });
    if (arenas_ || is_mls(settings)) return;
    with_smooth_kernel(settings.kernel, [&](auto kernel) {
      using Kernel = decltype(kernel);
      allow_shared_memory(scatter_kernel<T, D, Kernel, PushRows>,
                          ScatterLayout<T, D, Kernel, PushRows>::kBytes);
    });
  }

  // Momentum and mass of all particles; what the field held is gone.
  void momentum_to_nodes(View<T, D> view, DeviceNode<T>* momentum) const {
    if (arenas_ && !is_mls(settings_)) return merge_classic(view, view.arenas, momentum);
    scatter<AffineRows<true, false>>(view, momentum);
  }
  // Impulses of their stress in a step of the control block's dt.
  void stress_to_nodes(View<T, D> view, DeviceNode<T>* impulse) const {
    if (is_mls(settings_)) return scatter<AffineRows<false, true>>(view, impulse);
    if (arenas_) return merge_classic(view, view.pushes, impulse);
    scatter<PushRows>(view, impulse);
  }
  // The gradient of a field of velocities, into D * D columns of set.capacity values.
  void gradient_to_particles(View<T, D> view, const SetView<T>& set, DeviceNode<T>* velocity,
                             T* rate) const {
    view.velocity = velocity;
    view.rates = rate;
    view.transfer.split = false;
    gather<false>(view, set);
  }
  // Moves particles and gives them velocities and affine matrices.
  void advance(View<T, D> view, const SetView<T>& set, DeviceNode<T>* velocity,
               DeviceNode<T>* before) const {
    view.velocity = velocity;
    view.before = before;
    view.rates = nullptr;
    gather<true>(view, set);
  }

 private:
  using PushRows = GradientRows<GradientParts::push>;

  // f(kernel, rows) for the rows of value and slope that this transfer needs.
  template <class F>
  void for_each_rows(F&& f) const {
    if (settings_.kernel == KernelKind::linear) return;
    with_smooth_kernel(settings_.kernel, [&](auto kernel) {
      f(kernel, AffineRows<true, false>{});
      if (is_mls(settings_)) f(kernel, AffineRows<false, true>{});
    });
  }
  template <class Rows>
  void scatter(View<T, D>& view, DeviceNode<T>* to) const {
    view.momentum = to;
    with_smooth_kernel(settings_.kernel, [&](auto kernel) {
      using Kernel = decltype(kernel);
      if constexpr (!std::is_same_v<Rows, PushRows>)
        if (arenas_) {
          using L = FixedLayout<T, D, Kernel, Rows>;
          scatter_fixed_kernel<T, D, Kernel, Rows>
              <<<view.capacity, kScatterThreads, L::kBytes, stream_>>>(view);
          return merge(view, view.arenas);
        }
      const std::size_t nodes = std::size_t(view.capacity) * BlockShape<D>::kNodes;
      must(cudaMemsetAsync(to, 0, nodes * sizeof(DeviceNode<T>), stream_), "clearing a field");
      using L = ScatterLayout<T, D, Kernel, Rows>;
      scatter_kernel<T, D, Kernel, Rows>
          <<<view.capacity, kScatterThreads, L::kBytes, stream_>>>(view);
    });
  }
  // Where particles give momentum and impulse at once: one of the two is kept.
  void merge_classic(View<T, D>& view, DeviceNode<T>* kept, DeviceNode<T>* to) const {
    TransferLaunches<T, D>::scatter_to_arenas(view, settings_, stream_);
    view.momentum = to;
    merge(view, kept);
  }
  void merge(View<T, D> view, DeviceNode<T>* arenas) const {
    view.arenas = arenas;
    view.pushes = view.before = nullptr;
    const std::size_t nodes = std::size_t(view.capacity) * BlockShape<D>::kNodes;
    merge_kernel<T, D><<<static_cast<int>((nodes + kMergeThreads - 1) / kMergeThreads),
                         kMergeThreads, 0, stream_>>>(view, view.transfer.arena_width);
  }
  template <bool Advance>
  void gather(const View<T, D>& view, const SetView<T>& set) const {
    if (set.capacity == 0) return;
    with_kernel(settings_.kernel, [&](auto kernel) {
      using Kernel = decltype(kernel);
      if constexpr (Kernel::kNodes == 2)
        gather_classic_kernel<T, D, Kernel, Advance>
            <<<view.capacity, kGatherThreads, 0, stream_>>>(view, set);
      else if (is_mls(settings_))
        gather_only_kernel<T, D, MlsGather<T, D, Kernel>, Advance>
            <<<view.capacity, kGatherThreads, 0, stream_>>>(view, set);
      else
        gather_only_kernel<T, D, GradientGather<T, D, Kernel>, Advance>
            <<<view.capacity, kGatherThreads, 0, stream_>>>(view, set);
    });
  }

  MpmSettings settings_;
  bool arenas_;
  cudaStream_t stream_;
};

}  // namespace firn
