// Damps what neighbours move to and fro against each other (sph/jitter_particle.h).
#pragma once

#include "sph/sph_state.h"

namespace firn {

// Of the velocity that the stress of the last step leads to; changes the one without stress.
template <class T, int D>
void damp_jitter(const SphContext<T>& ctx, SmoothingKind kernel, SphState<T, D>& state);

}  // namespace firn
