// A guess for steps of bodies that are tangled or collapsed: where many cells are inside out, the
// way to an even state leads past every one of them, and most of a solve is spent there. Their
// shape at rest, put where inertia would have them, has no elastic energy at all.
#pragma once

#include "exec/buffer.h"
#include "fem/fem_model.h"

namespace firn {

// Makes of x, the start of a step, a state in which each body that is tangled in it has its shape
// at rest, shifted and turned to be nearest to `predicted`, by mass. False, and x stays, where none
// is.
template <int D>
bool guess_rest_of_tangled(const FemModel<D>& model, const Buffer<double>& predicted,
                           Buffer<double>& x);

}  // namespace firn
