// What one step does to the material of a particle, or of a SIMD vector of them; host and device.
#pragma once

#include "material/models.h"

namespace firn {

// Particles that an emitter lets in apart from each other are loose: they have room between them,
// a dilation q = ln(room / volume) > 0 that makes no stress. While q > 0 whatever changes the
// volume changes q, and F or J stays what it is without stress, so that streams neither pull nor
// push; the compression that is left when q is used up is the first that the model sees, and from
// then on the particle is like all others. A poured fluid that is pulled becomes loose again: a
// stream that falls faster and faster thins out without tension, and regains its volume before it
// presses. Sand does all that by itself (its volume correction).
constexpr double kLargestDilation = 3;  // e^3: farther apart is as good as alone

// Before the update of the material: takes from rate and source what the dilation answers for.
template <class Model, class S, int D>
FIRN_INLINE void use_dilation(S dt, S& dilation, Mat<S, D>& rate, S& source,
                              MaterialState<S, D, Model::kScalars>& state) {
  using T = ScalarOf<S>;
  const S growth = dt * (trace(rate) + source);
  auto loose = dilation > S(0);
  S whole = dilation + growth;
  if constexpr (!Model::kHasF) {
    const S J = state.scalar[0] * (S(1) + growth);
    const auto tears = (J > S(1)) & !loose;
    state.scalar[0] = select(tears, S(1), state.scalar[0]);
    loose = loose | tears;
    if (!any(loose)) return;
    whole = dilation + log_of(max_of(J / state.scalar[0], S(T(1e-6))));
  }
  if (!any(loose)) return;
  S compression = min_of(whole, S(0));
  if constexpr (!Model::kHasF) compression = exp_of(compression) - S(1);  // J is to grow by 1 + it
  // At dt = 0 nothing is left: q is positive.
  const S left = compression / max_of(dt * S(T(D)), S(T(1e-30)));
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) rate(i, j) = select(loose, i == j ? left : S(0), rate(i, j));
  source = select(loose, S(0), source);
  dilation = select(loose, clamp(whole, S(0), S(T(kLargestDilation))), dilation);
}

// F <- (I + dt L) F, for fluids J <- (1 + dt (tr L + source)) J, then relaxation, projection and
// stress. Sand keeps a source of volume in its volume correction; the other models have none.
// damps: the stress of a fluid is taken half a step ahead, as explicit steps need it.
template <class Model, class S, int D>
FIRN_INLINE StressUpdate<S, D> advance_material(
    const typename Model::template Constants<S>& constants, S dt, const Mat<S, D>& rate, S source,
    MaterialState<S, D, Model::kScalars>& state, [[maybe_unused]] bool damps = true) {
  if constexpr (Model::kHasF) {
    state.F = state.F + (rate * state.F) * dt;
    if constexpr (keeps_dilation<Model>)
      state.scalar[Model::kDilation] = state.scalar[Model::kDilation] + dt * source;
    if constexpr (requires { Model::template relax<S, D>(constants, dt, state); })
      Model::template relax<S, D>(constants, dt, state);
    return Model::template update<S, D>(constants, state);
  } else {
    state.scalar[0] = state.scalar[0] * (S(1) + dt * (trace(rate) + source));
    StressUpdate<S, D> update = Model::template update<S, D>(constants, state);
    if (damps) update.tau.e[0] += Model::damping(constants, state.scalar[0], dt * trace(rate));
    return update;
  }
}

// Adds what viscosity does, J eta (L + L^T): `viscous` is J eta.
template <class S, int D>
FIRN_INLINE void add_viscous_stress(S viscous, const Mat<S, D>& rate, SymMat<S, D>& tau) {
  for (int i = 0; i < D; ++i)
    for (int j = i; j < D; ++j) tau(i, j) += viscous * (rate(i, j) + rate(j, i));
}
// The whole stress of a model, whose isotropic part may be all that it told.
template <class Model, class S, int D>
FIRN_INLINE SymMat<S, D> whole_stress(const SymMat<S, D>& told, S viscosity, const Mat<S, D>& rate,
                                      const MaterialState<S, D, Model::kScalars>& state) {
  SymMat<S, D> tau = Model::kIsotropicStress ? SymMat<S, D>::isotropic(told.e[0]) : told;
  if constexpr (is_viscous<Model>)
    add_viscous_stress(viscosity * viscous_ratio<Model, S, D>(state), rate, tau);
  return tau;
}

}  // namespace firn
