// What the stress of a step leaves of compression, and what an over-dense start brings along, goes
// away by a shift of positions that no friction holds and no velocity keeps. In one loop with
// friction it would wedge: friction grows with the pressure that asks for room, without bound.
#pragma once

#include "sph/sph_state.h"

namespace firn {

// Finds state.shift for velocities as they are; returns its iterations.
template <class T, int D>
int find_shift(const SphContext<T>& ctx, SphState<T, D>& state);

}  // namespace firn
