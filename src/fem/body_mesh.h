// A body as frames show it: its surface, its cells, and what these are like.
#pragma once

#include "fem/fem_model.h"
#include "particles/frame.h"

namespace firn {

template <int D>
SolverMesh body_mesh(const typename FemModel<D>::Body& body, const std::vector<std::uint64_t>& id,
                     const double* x);

}  // namespace firn
