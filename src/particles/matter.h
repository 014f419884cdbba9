// What a particle is whatever its model: the stress in it and the volume it takes; and the state of
// another model that bears the same.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "base/spectrum.h"
#include "material/elastic_state.h"
#include "particles/particles.h"

namespace firn {

template <int D>
struct Matter {
  SymMat<double, D> cauchy;  // Pa
  double volume = 0;         // m^D
  double dilation = 0;       // logarithm of the room that it has over that volume
};

// The state of a particle in its model's own terms.
template <class Model, class T, int D>
MaterialState<double, D, Model::kScalars> load_state(const ParticleSet<T, D>& set, std::size_t p) {
  MaterialState<double, D, Model::kScalars> state;
  if constexpr (Model::kHasF)
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) state.F(i, j) = set[column::gradient][i * D + j][p];
  for (int k = 0; k < Model::kScalars; ++k) state.scalar[k] = set[column::scalar][k][p];
  return state;
}
template <class Model, class T, int D>
void store_state(const MaterialState<double, D, Model::kScalars>& state, ParticleSet<T, D>& set,
                 std::size_t p) {
  if constexpr (Model::kHasF)
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < D; ++j) set[column::gradient][i * D + j][p] = T(state.F(i, j));
  for (int k = 0; k < Model::kScalars; ++k) set[column::scalar][k][p] = T(state.scalar[k]);
}

template <class Model, int D>
double elastic_ratio(const MaterialState<double, D, Model::kScalars>& state) {
  if constexpr (Model::kHasF)
    return determinant(state.F);
  else
    return state.scalar[0];
}

template <class Model, class T, int D>
auto constants_of(const MaterialSet<T, D>& set, std::size_t p) {
  const ParticleParameters<Model> own(std::get<typename Model::Parameters>(set.parameters),
                                      set.varied);
  return Model::template constants<double, D>(own.of(set.particles[column::varied], p),
                                              double(set.particles[column::stiffness][0][p]));
}

// Compaction that became plastic counts as volume; what came apart is room between matter.
template <class Model, class T, int D>
Matter<D> model_matter(const MaterialSet<T, D>& set, std::size_t p) {
  auto state = load_state<Model>(set.particles, p);
  const auto update = Model::template update<double, D>(constants_of<Model>(set, p), state);
  double ratio = elastic_ratio<Model, D>(state);
  Matter<D> matter;
  if (set.particles[column::dilation].components() > 0)
    matter.dilation = set.particles[column::dilation][0][p];
  if constexpr (keeps_dilation<Model>) matter.dilation += state.scalar[Model::kDilation];
  if constexpr (std::is_same_v<Model, Snow>) {
    const double plastic = state.scalar[0];
    ratio *= std::min(plastic, 1.0);
    matter.dilation += std::log(std::max(plastic, 1.0));
  }
  matter.cauchy =
      Model::kIsotropicStress ? SymMat<double, D>::isotropic(update.tau.e[0]) : update.tau;
  for (double& entry : matter.cauchy.e) entry /= ratio;
  matter.volume = double(set.particles.volume[0][p]) * ratio;
  return matter;
}

template <class T, int D>
Matter<D> matter_of(const MaterialSet<T, D>& set, std::size_t p) {
  return visit_model(static_cast<int>(set.parameters.index()), [&](auto tag) {
    return model_matter<typename decltype(tag)::type, T, D>(set, p);
  });
}

// The model's state, which starts fresh, under the stress of the matter.
template <class Model, class T, int D>
MaterialState<double, D, Model::kScalars> stressed_state(const MaterialSet<T, D>& set,
                                                         std::size_t p,
                                                         const SymMat<double, D>* cauchy) {
  MaterialState<double, D, Model::kScalars> state;
  state.F = Mat<double, D>::identity();
  for (int k = 0; k < Model::kScalars; ++k) state.scalar[k] = Model::kScalarFields[k].initial;
  if (!cauchy) return state;
  const Spectrum<double, D> stress = spectrum(*cauchy);
  state = borne_state<Model, D>(constants_of<Model>(set, p), state, stress.eigenvalue);
  if constexpr (Model::kHasF) state.F = stress.axes * state.F * transpose(stress.axes);
  return state;
}

// Gives a particle whose mass and parameters are known volume and state. Without a density its
// volume stays: V0' J' = V, so that with the same Cauchy stress V0' tau' = V0 tau and no force
// changes. With one its volume follows from its mass; where it then leaves room, it is loose, and
// free of stress until the room is used up.
template <class Model, class T, int D>
void settle_model(MaterialSet<T, D>& set, std::size_t p, const Matter<D>& matter, double density) {
  auto& particles = set.particles;
  const double room = matter.volume * std::exp(matter.dilation);
  double volume = density > 0 ? double(particles.mass[0][p]) / density : 0;
  const bool loose = density > 0 && room > volume;
  auto state = stressed_state<Model, T, D>(set, p, loose ? nullptr : &matter.cauchy);
  if (!(density > 0)) volume = matter.volume / elastic_ratio<Model, D>(state);
  double dilation = density > 0 ? 0 : matter.dilation;
  if (loose) dilation = std::log(room / volume);
  if (particles[column::dilation].components() > 0) {
    particles[column::dilation][0][p] = T(dilation);
  } else if constexpr (keeps_dilation<Model>) {
    state.scalar[Model::kDilation] = dilation;
  }
  particles.volume[0][p] = T(volume);
  store_state<Model>(state, particles, p);
}

template <class T, int D>
void settle_matter(MaterialSet<T, D>& set, std::size_t p, const Matter<D>& matter, double density) {
  visit_model(static_cast<int>(set.parameters.index()), [&](auto tag) {
    settle_model<typename decltype(tag)::type, T, D>(set, p, matter, density);
  });
}

}  // namespace firn
