// Density of each particle against that at rest, and what stress at it does to its own motion.
#pragma once

#include "sph/sph_state.h"

namespace firn {

struct DensityReport {
  double mean = 0, most = 0;  // of the compression of those that are compressed
};

template <class T, int D>
DensityReport measure_density(const SphContext<T>& ctx, SmoothingKind kernel,
                              SphState<T, D>& state);

}  // namespace firn
