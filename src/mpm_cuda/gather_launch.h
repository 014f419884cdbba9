// Starting the gather of one set, or the update of its material alone: compiled apart, since every
// model is a kernel of its own.
#pragma once

#include "mpm_cuda/view.h"

namespace firn {

// Both with the material in one kernel, or the material alone.
enum class GatherWay { mls, gradient, material_only };

template <class T, int D>
void launch_gather(const View<T, D>& view, const SetView<T>& set, const ModelParameters& parameters,
                   GatherWay way, int set_number, cudaStream_t stream);

}  // namespace firn
