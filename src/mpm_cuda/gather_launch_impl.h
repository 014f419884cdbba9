#pragma once

#include "mpm_cuda/gather_launch.h"
#include "mpm_cuda/gather_split.h"

namespace firn {

template <class T, int D>
void launch_gather(const View<T, D>& view, const SetView<T>& set, const ModelParameters& parameters,
                   GatherWay way, int set_number, cudaStream_t stream) {
  if (set.capacity == 0) return;
  visit_model(static_cast<int>(parameters.index()), [&](auto tag) {
    using Model = typename decltype(tag)::type;
    const auto& model = std::get<typename Model::Parameters>(parameters);
    const auto launch = [&](const auto& source) {
      const auto gather = [&](auto transfer) {
        gather_kernel<Model, T, D, decltype(transfer)>
            <<<view.expected, kGatherThreads, 0, stream>>>(view, set, source, set_number);
      };
      if (way == GatherWay::mls)
        gather(MlsGather<T, D, QuadraticKernel>{});
      else if (way == GatherWay::gradient)
        gather(GradientGather<T, D, QuadraticKernel>{});
      else
        material_kernel<Model, T, D>
            <<<(set.capacity + kGatherThreads - 1) / kGatherThreads, kGatherThreads, 0, stream>>>(
                view, set, source, set_number);
    };
    if (set.varied_count > 0)
      launch(VariedModel<Model, T, D>{spread_parameters<Model, T>(model)});
    else
      launch(SameModel<Model, T, D>{Model::template constants<T, D>(model, T(1)),
                                    T(viscosity_of<Model>(model))});
  });
}

}  // namespace firn
