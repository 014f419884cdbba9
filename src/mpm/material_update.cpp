#include "mpm/material_update.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace firn {
namespace {

template <class T>
constexpr int kModelLanes = 4;

template <class Model, class S, int D, class T>
FIRN_INLINE MaterialState<S, D, Model::kScalars> load_state(const ParticleSet<T, D>& set,
                                                            std::uint32_t p, int n) {
  MaterialState<S, D, Model::kScalars> state;
  if constexpr (Model::kHasF)
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) state.F(i, j) = S::load(set.gradient[i * D + j] + p, n);
  for (int k = 0; k < Model::kScalars; ++k) state.scalar[k] = S::load(set.scalar[k] + p, n);
  return state;
}

template <class Model, class S, int D, class T>
FIRN_INLINE void store_state(const MaterialState<S, D, Model::kScalars>& state, ParticleSet<T, D>& set,
                             std::uint32_t p, int n) {
  if constexpr (Model::kHasF)
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) state.F(i, j).store(set.gradient[i * D + j] + p, n);
  for (int k = 0; k < Model::kScalars; ++k) state.scalar[k].store(set.scalar[k] + p, n);
}

// The stress of a viscous fluid, tau = J (-p I + eta (L + L^T)), needs all its entries stored.
template <class S, int D, class T>
FIRN_INLINE void store_stress(const SymMat<S, D>& tau, bool isotropic, S viscosity, S det,
                              const Mat<S, D>& rate, ParticleSet<T, D>& set, std::uint32_t p, int n) {
  if (set.stress.components() == 1) {
    tau.e[0].store(set.stress[0] + p, n);
    return;
  }
  SymMat<S, D> total = isotropic ? SymMat<S, D>::isotropic(tau.e[0]) : tau;
  if (isotropic)
    for (int i = 0; i < D; ++i)
      for (int j = i; j < D; ++j) total(i, j) += viscosity * det * (rate(i, j) + rate(j, i));
  for (int i = 0; i < SymMat<S, D>::kSize; ++i) total.e[i].store(set.stress[i] + p, n);
}

template <class Model, class T, int D>
MaterialReport update_model(const ModelParameters& parameters, T dt, const T* const* rate_columns,
                            ParticleSet<T, D>& set, std::uint32_t begin, std::uint32_t end) {
  constexpr int W = kModelLanes<T>;
  using S = Pack<T, W>;
  const auto& model = std::get<typename Model::Parameters>(parameters);
  const S viscosity(T(viscosity_of<Model>(model)));
  MaterialReport report;
  S max_signal(0), max_speed2(0), plastic(0);
  for (std::uint32_t p = begin; p < end; p += W) {
    const int n = static_cast<int>(std::min<std::uint32_t>(W, end - p));
    Mat<S, D> rate;
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) rate(i, j) = S::load(rate_columns[i * D + j] + (p - begin), n);
    auto state = load_state<Model, S, D>(set, p, n);
    if constexpr (Model::kHasF)
      state.F = state.F + (rate * state.F) * S(dt);
    else
      state.scalar[0] = state.scalar[0] * (S(1) + S(dt) * (trace(rate) + S::load(set.source[0] + p, n)));
    const auto constants = Model::template constants<S, D>(model, S::load(set.stiffness[0] + p, n));
    const StressUpdate<S, D> update = Model::template update<S, D>(constants, state);
    store_state<Model, S, D>(state, set, p, n);
    store_stress<S, D, T>(update.tau, Model::kIsotropicStress, viscosity, state.scalar[0], rate, set, p, n);

    S speed2(0);
    for (int i = 0; i < D; ++i) speed2 += square(S::load(set.velocity[i] + p, n));
    const S wave2 = update.wave_modulus * S::load(set.volume[0] + p, n) / S::load(set.mass[0] + p, n);
    const S tiny(T(1e-30));
    const S signal = (wave2 + tiny) * rsqrt_of(wave2 + tiny) + (speed2 + tiny) * rsqrt_of(speed2 + tiny);
    const auto sane = signal < S(T(1e15));  // false for NaN as well
    if (any(!sane))
      for (int l = 0; l < n && report.bad < 0; ++l)
        if (!sane[l]) report.bad = p + l;
    max_signal = max_of(max_signal, signal);
    max_speed2 = max_of(max_speed2, speed2);
    for (int l = 0; l < n; ++l) report.plastic += update.plastic[l] > T(0.5);
  }
  report.max_signal = max_lane(max_signal);
  report.max_speed = std::sqrt(double(max_lane(max_speed2)));
  return report;
}

template <class Model, class T, int D>
double model_energy(const ModelParameters& parameters, const ParticleSet<T, D>& set,
                    std::uint32_t begin, std::uint32_t end) {
  const auto& model = std::get<typename Model::Parameters>(parameters);
  double energy = 0;
  for (std::uint32_t p = begin; p < end; ++p) {
    MaterialState<double, D, Model::kScalars> state;
    if constexpr (Model::kHasF)
      for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) state.F(i, j) = set.gradient[i * D + j][p];
    for (int k = 0; k < Model::kScalars; ++k) state.scalar[k] = set.scalar[k][p];
    const auto constants = Model::template constants<double, D>(model, double(set.stiffness[0][p]));
    energy += double(set.volume[0][p]) * Model::template energy<double, D>(constants, state);
  }
  return energy;
}

}  // namespace

template <class T, int D>
MaterialUpdate<T, D> material_update(const ModelParameters& parameters) {
  return visit_model(static_cast<int>(parameters.index()), [](auto tag) -> MaterialUpdate<T, D> {
    return &update_model<typename decltype(tag)::type, T, D>;
  });
}

template <int D>
SetLayout set_layout(const ModelParameters& parameters) {
  return visit_model(static_cast<int>(parameters.index()), [&](auto tag) {
    using Model = typename decltype(tag)::type;
    const auto& model = std::get<typename Model::Parameters>(parameters);
    SetLayout layout;
    layout.gradient_components = Model::kHasF ? D * D : 0;
    const bool one = Model::kIsotropicStress && !(viscosity_of<Model>(model) > 0);
    layout.stress_components = one ? 1 : SymMat<double, D>::kSize;
    layout.scalars = Model::kScalars;
    layout.source = !Model::kHasF;
    return layout;
  });
}

template <class T, int D>
double elastic_energy(const ModelParameters& parameters, const ParticleSet<T, D>& set,
                      std::uint32_t begin, std::uint32_t end) {
  return visit_model(static_cast<int>(parameters.index()), [&](auto tag) {
    return model_energy<typename decltype(tag)::type, T, D>(parameters, set, begin, end);
  });
}

template SetLayout set_layout<2>(const ModelParameters&);
template SetLayout set_layout<3>(const ModelParameters&);
#define FIRN_INSTANTIATE(T, D)                                                              \
  template MaterialUpdate<T, D> material_update<T, D>(const ModelParameters&);              \
  template double elastic_energy<T, D>(const ModelParameters&, const ParticleSet<T, D>&,    \
                                       std::uint32_t, std::uint32_t);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
