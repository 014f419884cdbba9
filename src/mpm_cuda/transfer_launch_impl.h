#pragma once

#include <vector>

#include "cuda/memory.h"
#include "mpm_cuda/fraction.h"
#include "mpm_cuda/gather_split.h"
#include "mpm_cuda/matter.h"
#include "mpm_cuda/scatter_gradient.h"
#include "mpm_cuda/transfer_launch.h"
#include "mpm_cuda/volume_beside.h"

namespace firn {

// f(rows) with an object of the type of the rows that this transfer scatters.
template <class F>
void with_gradient_rows(const MpmSettings& settings, F&& f) {
  if (settings.transfer == TransferKind::flip)
    f(GradientRows<GradientParts::apart>{});
  else
    f(GradientRows<GradientParts::together>{});
}
template <class Kernel, class F>
void with_laid_rows(LaidRows laid, F&& f) {
  switch (laid) {
    case LaidRows::volume:
      return f(VolumeRows{});
    case LaidRows::beside_solids:
      return f(BesideRows{});
    case LaidRows::matter:
      return f(MatterRows{});
    case LaidRows::fraction:
      return f(FractionRows{});
    case LaidRows::pressure:
      break;
  }
  if constexpr (Kernel::kInverseD == 0.0)
    f(GradientPressureRows{});
  else
    f(PressureRows{});
}
// Those that a run may use.
inline std::vector<LaidRows> laid_rows(const PorousSettings& porous) {
  std::vector<LaidRows> laid{LaidRows::volume, LaidRows::beside_solids};
  if (porous.wants_volumes_each_step()) laid.push_back(LaidRows::matter);
  if (porous.wants_pressure()) laid.push_back(LaidRows::pressure);
  if (porous.fractions_wanted) laid.push_back(LaidRows::fraction);
  return laid;
}
template <class T, int D>
bool uses_arenas(const MpmSettings& settings) {
  if (settings.deterministic || settings.kernel == KernelKind::linear) return true;
  if (is_mls(settings)) return false;
  std::size_t needed = 0;
  with_smooth_kernel(settings.kernel, [&](auto kernel) {
    with_gradient_rows(settings, [&](auto rows) {
      needed = ScatterLayout<T, D, decltype(kernel), decltype(rows)>::kBytes;
    });
  });
  return !fits_shared_memory(needed);
}

// Only what a run uses is asked for: not every GPU has enough for all of it.
template <class T, int D>
void TransferLaunches<T, D>::prepare(const MpmSettings& settings) {
  const bool arenas = uses_arenas<T, D>(settings);
  if (!arenas && !is_mls(settings))
    with_smooth_kernel(settings.kernel, [&](auto kernel) {
      with_gradient_rows(settings, [&](auto rows) {
        using Kernel = decltype(kernel);
        using Rows = decltype(rows);
        allow_shared_memory(scatter_kernel<T, D, Kernel, Rows>,
                            ScatterLayout<T, D, Kernel, Rows>::kBytes);
      });
    });
  if (!arenas) return;
  with_kernel(settings.kernel, [&](auto kernel) {
    using Kernel = decltype(kernel);
    for (const LaidRows laid : laid_rows(settings.porous))
      with_laid_rows<Kernel>(laid, [](auto rows) {
        using Rows = decltype(rows);
        allow_shared_memory(scatter_fixed_kernel<T, D, Kernel, Rows>,
                            FixedLayout<T, D, Kernel, Rows>::kBytes);
      });
    if constexpr (Kernel::kNodes > 2)
      if (is_mls(settings)) {
        allow_shared_memory(scatter_fixed_kernel<T, D, Kernel>, FixedLayout<T, D, Kernel>::kBytes);
        return;
      }
    allow_shared_memory(scatter_classic_kernel<T, D, Kernel>, ClassicLayout<T, D, Kernel>::kBytes);
  });
}

template <class T, int D>
void TransferLaunches<T, D>::scatter_gradient(const View<T, D>& view, const MpmSettings& settings,
                                              cudaStream_t stream) {
  with_smooth_kernel(settings.kernel, [&](auto kernel) {
    with_gradient_rows(settings, [&](auto rows) {
      using Kernel = decltype(kernel);
      using Rows = decltype(rows);
      scatter_kernel<T, D, Kernel, Rows>
          <<<view.expected, kScatterThreads, ScatterLayout<T, D, Kernel, Rows>::kBytes, stream>>>(
              view);
    });
  });
}

template <class T, int D>
void TransferLaunches<T, D>::scatter_to_arenas(const View<T, D>& view, const MpmSettings& settings,
                                               cudaStream_t stream) {
  with_kernel(settings.kernel, [&](auto kernel) {
    using Kernel = decltype(kernel);
    if constexpr (Kernel::kNodes > 2)
      if (is_mls(settings)) {
        scatter_fixed_kernel<T, D, Kernel>
            <<<view.capacity, kScatterThreads, FixedLayout<T, D, Kernel>::kBytes, stream>>>(view);
        return;
      }
    scatter_classic_kernel<T, D, Kernel>
        <<<view.capacity, kClassicThreads, ClassicLayout<T, D, Kernel>::kBytes, stream>>>(view);
  });
}

template <class T, int D>
void TransferLaunches<T, D>::lay_in_arenas(const View<T, D>& view, const MpmSettings& settings,
                                           LaidRows laid, cudaStream_t stream) {
  with_kernel(settings.kernel, [&](auto kernel) {
    using Kernel = decltype(kernel);
    with_laid_rows<Kernel>(laid, [&](auto rows) {
      using Rows = decltype(rows);
      scatter_fixed_kernel<T, D, Kernel, Rows>
          <<<view.capacity, kScatterThreads, FixedLayout<T, D, Kernel, Rows>::kBytes, stream>>>(
              view);
    });
  });
}

template <class T, int D>
void TransferLaunches<T, D>::gather(const View<T, D>& view, const SetView<T>& set,
                                    const MpmSettings& settings, cudaStream_t stream) {
  if (set.capacity == 0) return;
  const auto gather = [&](auto transfer) {
    gather_only_kernel<T, D, decltype(transfer)>
        <<<view.capacity, kGatherThreads, 0, stream>>>(view, set);
  };
  if (settings.kernel == KernelKind::linear)
    gather_classic_kernel<T, D, LinearKernel>
        <<<view.capacity, kGatherThreads, 0, stream>>>(view, set);
  else if (is_mls(settings))
    gather(MlsGather<T, D, CubicKernel>{});
  else
    gather(GradientGather<T, D, CubicKernel>{});
}

template <class T, int D>
TransferView<T> transfer_view(const MpmSettings& settings) {
  TransferView<T> view;
  const bool arenas = uses_arenas<T, D>(settings);
  view.mls = is_mls(settings);
  view.affine = settings.transfer == TransferKind::mls || settings.transfer == TransferKind::apic;
  view.split = settings.transfer == TransferKind::flip;
  view.flip_ratio = view.split ? T(settings.flip_ratio) : T(0);
  if (arenas)
    with_kernel(settings.kernel,
                [&](auto kernel) { view.arena_width = Arena<D, decltype(kernel)>::kWidth; });
  view.pushes = arenas && !is_mls(settings);
  view.rates = view.affine && !is_mls(settings) && !is_fused(settings);
  return view;
}

}  // namespace firn
