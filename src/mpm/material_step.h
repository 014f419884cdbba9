// What one step does to the material of a particle, or of a pack of them; host and device.
#pragma once

#include "material/models.h"

namespace firn {

// F <- (I + dt L) F, for fluids J <- (1 + dt (tr L + source)) J, then projection and stress. The
// source is looked at for fluids only.
template <class Model, class S, int D>
FIRN_INLINE StressUpdate<S, D> advance_material(
    const typename Model::template Constants<S>& constants, S dt, const Mat<S, D>& rate, S source,
    MaterialState<S, D, Model::kScalars>& state) {
  if constexpr (Model::kHasF) {
    state.F = state.F + (rate * state.F) * dt;
    return Model::template update<S, D>(constants, state);
  } else {
    state.scalar[0] = state.scalar[0] * (S(1) + dt * (trace(rate) + source));
    StressUpdate<S, D> update = Model::template update<S, D>(constants, state);
    update.tau.e[0] += Model::damping(constants, state.scalar[0], dt * trace(rate));
    return update;
  }
}

// The stress of a viscous fluid, tau = J (-p I + eta (L + L^T)): `viscous` is J eta.
template <class S, int D>
FIRN_INLINE SymMat<S, D> viscous_stress(S isotropic, S viscous, const Mat<S, D>& rate) {
  SymMat<S, D> total = SymMat<S, D>::isotropic(isotropic);
  for (int i = 0; i < D; ++i)
    for (int j = i; j < D; ++j) total(i, j) += viscous * (rate(i, j) + rate(j, i));
  return total;
}

}  // namespace firn
