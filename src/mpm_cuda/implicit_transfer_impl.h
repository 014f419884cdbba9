#pragma once

#include "cuda/memory.h"
#include "mpm_cuda/implicit_blocks.h"
#include "mpm_cuda/implicit_transfer.h"

namespace firn {

// f(kernel, whether it is MLS): the kernel as an object of its type.
template <class F>
void with_transfer(const MpmSettings& settings, F&& f) {
  with_kernel(settings.kernel, [&](auto kernel) {
    if constexpr (decltype(kernel)::kNodes > 2)
      if (is_mls(settings)) return f(kernel, std::true_type{});
    f(kernel, std::false_type{});
  });
}
// f(tangent) with an object of the type that the particles of a set have.
template <class T, int D, class F>
void with_tangent(const SetView<T>& set, F&& f) {
  if (set.bulk_modulus > T(0))
    f(VolumeTangent<T, D>{});
  else
    f(GradientTangent<T, D>{});
}

// How a map is launched.
template <class T, int D, class Kernel, bool Mls, class Map>
struct MapLaunch {
  static constexpr std::size_t bytes() {
    if constexpr (Mls)
      return MlsMapLayout<T, D, Kernel>::kBytes;
    else
      return ClassicMapLayout<T, D, Kernel, MatrixRow<T, D, Kernel>, D>::kBytes;
  }
  static auto kernel() {
    if constexpr (Mls)
      return map_mls_kernel<T, D, Kernel, Map>;
    else
      return map_classic_kernel<T, D, Kernel, Map>;
  }
  static void run(const View<T, D>& view, const SetView<T>& set, const DeviceNode<T>* field,
                  const Map& map, bool first, const std::int32_t* stop, cudaStream_t stream) {
    kernel()<<<view.expected, Mls ? kScatterThreads : kClassicThreads, bytes(), stream>>>(
        view, set, field, map, first, stop);
  }
};
template <class T, int D>
void ImplicitTransfer<T, D>::prepare(const MpmSettings& settings) {
  with_transfer(settings, [](auto kernel, auto mls) {
    using Kernel = decltype(kernel);
    constexpr bool kMls = decltype(mls)::value;
    const auto ask = [](auto map) {
      using Launch = MapLaunch<T, D, Kernel, kMls, decltype(map)>;
      allow_shared_memory(Launch::kernel(), Launch::bytes());
    };
    ask(GivenMatrix<T, D>{});
    const auto ask_for_tangent = [&](auto tangent) {
      using Tangent = decltype(tangent);
      ask(TangentProduct<T, D, Tangent>{});
      allow_shared_memory(blocks_kernel<T, D, Kernel, kMls, Tangent>,
                          BlocksLayout<T, D, Kernel, Tangent>::kBytes);
    };
    ask_for_tangent(VolumeTangent<T, D>{});
    ask_for_tangent(GradientTangent<T, D>{});
    const auto ask_for_rows = [](auto rows) {
      using Rows = decltype(rows);
      allow_shared_memory(scatter_fixed_kernel<T, D, Kernel, Rows>,
                          FixedLayout<T, D, Kernel, Rows>::kBytes);
    };
    if constexpr (kMls) {
      ask_for_rows(AffineRows<true, false>{});
      ask_for_rows(AffineRows<false, true>{});
    }
  });
}

template <class T, int D>
void ImplicitTransfer<T, D>::momentum(const View<T, D>& view, const MpmSettings& settings,
                                      cudaStream_t stream) {
  with_transfer(settings, [&](auto kernel, auto mls) {
    using Kernel = decltype(kernel);
    if constexpr (decltype(mls)::value)
      scatter_fixed_kernel<T, D, Kernel, AffineRows<true, false>>
          <<<view.capacity, kScatterThreads,
             FixedLayout<T, D, Kernel, AffineRows<true, false>>::kBytes, stream>>>(view);
    else
      TransferLaunches<T, D>::scatter_to_arenas(view, settings, stream);
  });
  must(cudaGetLastError(), "scattering momentum");
}

template <class T, int D>
const DeviceNode<T>* ImplicitTransfer<T, D>::stress(const View<T, D>& view,
                                                    const MpmSettings& settings,
                                                    cudaStream_t stream) {
  // The other transfers have left them beside the momentum.
  if (!is_mls(settings)) return view.pushes;
  with_smooth_kernel(settings.kernel, [&](auto kernel) {
    using Kernel = decltype(kernel);
    using Rows = AffineRows<false, true>;
    scatter_fixed_kernel<T, D, Kernel, Rows>
        <<<view.capacity, kScatterThreads, FixedLayout<T, D, Kernel, Rows>::kBytes, stream>>>(view);
  });
  must(cudaGetLastError(), "scattering stress");
  return view.arenas;
}

template <class T, int D>
void ImplicitTransfer<T, D>::gradient(const View<T, D>& view, const SetView<T>& set,
                                      const DeviceNode<T>* field, bool relative,
                                      const ParticleColumns<T>& rates, const MpmSettings& settings,
                                      cudaStream_t stream) {
  if (set.capacity == 0) return;
  with_transfer(settings, [&](auto kernel, auto mls) {
    rates_kernel<T, D, decltype(kernel), decltype(mls)::value>
        <<<view.capacity, kGatherThreads, 0, stream>>>(
            view, set, field, relative && settings.kernel != KernelKind::linear, rates);
  });
  must(cudaGetLastError(), "finding gradients");
}

template <class T, int D>
void ImplicitTransfer<T, D>::push(const View<T, D>& view, const SetView<T>& set,
                                  const ParticleColumns<T>& matrices, bool first,
                                  const MpmSettings& settings, cudaStream_t stream) {
  with_transfer(settings, [&](auto kernel, auto mls) {
    using Map = GivenMatrix<T, D>;
    MapLaunch<T, D, decltype(kernel), decltype(mls)::value, Map>::run(
        view, set, nullptr, Map{matrices}, first, nullptr, stream);
  });
  must(cudaGetLastError(), "pushing nodes");
}

template <class T, int D>
void ImplicitTransfer<T, D>::apply(const View<T, D>& view, const SetView<T>& set,
                                   const DeviceNode<T>* field, const ParticleColumns<T>& tangents,
                                   bool first, const std::int32_t* stop,
                                   const MpmSettings& settings, cudaStream_t stream) {
  with_transfer(settings, [&](auto kernel, auto mls) {
    with_tangent<T, D>(set, [&](auto tangent) {
      using Map = TangentProduct<T, D, decltype(tangent)>;
      MapLaunch<T, D, decltype(kernel), decltype(mls)::value, Map>::run(
          view, set, field, Map{tangents}, first, stop, stream);
    });
  });
  must(cudaGetLastError(), "a product with the Hessian");
}

template <class T, int D>
void ImplicitTransfer<T, D>::blocks(const View<T, D>& view, const SetView<T>& set,
                                    const ParticleColumns<T>& tangents, bool first,
                                    DeviceNode<T>* beside, const MpmSettings& settings,
                                    cudaStream_t stream) {
  with_transfer(settings, [&](auto kernel, auto mls) {
    with_tangent<T, D>(set, [&](auto tangent) {
      using Kernel = decltype(kernel);
      using Tangent = decltype(tangent);
      blocks_kernel<T, D, Kernel, decltype(mls)::value, Tangent>
          <<<view.capacity, kClassicThreads, BlocksLayout<T, D, Kernel, Tangent>::kBytes, stream>>>(
              view, set, tangents, first, beside);
    });
  });
  must(cudaGetLastError(), "summing up blocks of nodes");
}

}  // namespace firn
