// Starting the gather of one set, or where it is not `fused` the update of its material alone:
// compiled apart, since every model is a kernel of its own.
#pragma once

#include "cuda/view.h"

namespace firn {

template <class T, int D>
void launch_gather(const View<T, D>& view, const SetView<T>& set, const ModelParameters& parameters,
                   bool fused, int set_number, cudaStream_t stream);

}  // namespace firn
