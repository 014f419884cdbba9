// Pressure and friction in one loop (GRAIN 5.7, 5.8; docs/sph.md). Stress is sought so that the
// velocity it leads to neither compresses what is dense nor shears what does not yield: pressure
// p >= 0 answers compression, the deviator s the rate of strain, clamped to the cone of the law.
// Each iteration finds the velocity that stress leads to, and from its rates better stress.
#pragma once

#include <functional>

#include "sph/sph_state.h"

namespace firn {

struct StressReport {
  int iterations = 0;
  double strain_rate = 0;  // root mean square where nothing yields, 1/s
  std::size_t yielding = 0;
  bool reached = true;  // the tolerance
  bool cancelled = false;
};

// From the stress that particles carry; their velocities become those after it. The density has
// been measured: slopes of the kernel are kept.
template <class T, int D>
StressReport solve_stress(const SphContext<T>& ctx, SphState<T, D>& state,
                          const std::function<bool()>& cancelled);

}  // namespace firn
