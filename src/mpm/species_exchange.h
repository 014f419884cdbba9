// Momentum that species exchange at the nodes of a block (momentum_exchange.h has one node).
#pragma once

#include "collision/contact_impulse.h"
#include "mpm/grid_update.h"
#include "mpm/state.h"

namespace firn {

// After stress and gravity. What the species have then is kept where obstacles are near.
template <class T, int D>
void exchange_momentum(const StepContext<T, D>& ctx, const PorousSettings& porous, int slot,
                       bool near_obstacles, MpmState<T, D>& state);
// Once obstacles have been met: those that met none exchange momentum with those that did. What
// comes of it is borne by the nearest obstacle; given[k] grows by it.
template <class T, int D>
void exchange_after_contact(const StepContext<T, D>& ctx, const PorousSettings& porous,
                            const std::vector<Collider>& colliders, const NodeObstacles<D>& near,
                            int slot, MpmState<T, D>& state, ContactImpulse* given);

}  // namespace firn
