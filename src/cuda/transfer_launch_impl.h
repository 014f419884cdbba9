#pragma once

#include "cuda/gather_split.h"
#include "cuda/memory.h"
#include "cuda/transfer_launch.h"
#include "cuda/volume_beside.h"

namespace firn {

// Only what a run uses is asked for: not every GPU has enough for all of it.
template <class T, int D>
void TransferLaunches<T, D>::prepare(const MpmSettings& settings) {
  if (!is_classic(settings) && !settings.deterministic) return;
  with_kernel(settings.kernel, [&](auto kernel) {
    using Kernel = decltype(kernel);
    allow_shared_memory(scatter_fixed_kernel<T, D, Kernel, VolumeRows>,
                        FixedLayout<T, D, Kernel, VolumeRows>::kBytes);
    allow_shared_memory(scatter_fixed_kernel<T, D, Kernel, BesideRows>,
                        FixedLayout<T, D, Kernel, BesideRows>::kBytes);
    if constexpr (Kernel::kNodes > 2)
      if (!is_classic(settings)) {
        allow_shared_memory(scatter_fixed_kernel<T, D, Kernel>, FixedLayout<T, D, Kernel>::kBytes);
        return;
      }
    allow_shared_memory(scatter_classic_kernel<T, D, Kernel>, ClassicLayout<T, D, Kernel>::kBytes);
  });
}

template <class T, int D>
void TransferLaunches<T, D>::scatter(const View<T, D>& view, const MpmSettings& settings,
                                     cudaStream_t stream) {
  with_kernel(settings.kernel, [&](auto kernel) {
    using Kernel = decltype(kernel);
    if constexpr (Kernel::kNodes > 2)
      if (!is_classic(settings)) {
        scatter_fixed_kernel<T, D, Kernel>
            <<<view.capacity, kScatterThreads, FixedLayout<T, D, Kernel>::kBytes, stream>>>(view);
        return;
      }
    scatter_classic_kernel<T, D, Kernel>
        <<<view.capacity, kClassicThreads, ClassicLayout<T, D, Kernel>::kBytes, stream>>>(view);
  });
}

template <class T, int D>
void TransferLaunches<T, D>::scatter_volume(const View<T, D>& view, const MpmSettings& settings,
                                            bool beside_solids, cudaStream_t stream) {
  with_kernel(settings.kernel, [&](auto kernel) {
    using Kernel = decltype(kernel);
    const auto scatter = [&](auto rows) {
      using Rows = decltype(rows);
      scatter_fixed_kernel<T, D, Kernel, Rows>
          <<<view.capacity, kScatterThreads, FixedLayout<T, D, Kernel, Rows>::kBytes, stream>>>(
              view);
    };
    if (beside_solids)
      scatter(BesideRows{});
    else
      scatter(VolumeRows{});
  });
}

template <class T, int D>
void TransferLaunches<T, D>::gather(const View<T, D>& view, const SetView<T>& set,
                                    const MpmSettings& settings, cudaStream_t stream) {
  if (set.room == 0) return;
  if (!is_classic(settings)) {
    gather_mls_kernel<T, D, CubicKernel><<<view.capacity, kGatherThreads, 0, stream>>>(view, set);
    return;
  }
  with_kernel(settings.kernel, [&](auto kernel) {
    gather_classic_kernel<T, D, decltype(kernel)>
        <<<view.capacity, kGatherThreads, 0, stream>>>(view, set);
  });
}

template <class T, int D>
TransferView<T> transfer_view(const MpmSettings& settings) {
  TransferView<T> view;
  const bool classic = is_classic(settings);
  view.affine = settings.transfer == TransferKind::mls || settings.transfer == TransferKind::apic;
  view.split = settings.transfer == TransferKind::flip;
  view.flip_ratio = view.split ? T(settings.flip_ratio) : T(0);
  if (classic || settings.deterministic)
    with_kernel(settings.kernel,
                [&](auto kernel) { view.arena_width = Arena<D, decltype(kernel)>::kWidth; });
  view.pushes = classic;
  view.rates = classic && view.affine;
  return view;
}

}  // namespace firn
