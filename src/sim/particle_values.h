// Quantities that follow from the state of one particle.
#pragma once

#include <algorithm>
#include <functional>

#include "base/mat.h"
#include "base/spectrum.h"
#include "particles/particles.h"

namespace firn {

// Volume over initial volume.
template <class T, int D>
double det_of(const MaterialSet<T, D>& set, std::size_t p) {
  const auto& particles = set.particles;
  if (particles[column::gradient].components() == 0)
    return particles[column::scalar].components() > 0 ? double(particles[column::scalar][0][p])
                                                      : 1.0;
  Mat<double, D> f;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) f(i, j) = particles[column::gradient][i * D + j][p];
  return determinant(f);
}

// Volume now, m^D.
template <class T, int D>
double volume_of(const MaterialSet<T, D>& set, std::size_t p) {
  return set.particles.volume[0][p] * det_of(set, p);
}

// Mass over the volume now, kg/m^D; 0 where nothing is left of the volume.
template <class T, int D>
double density_of(const MaterialSet<T, D>& set, std::size_t p) {
  const double volume = volume_of(set, p);
  return volume != 0 ? double(set.particles.mass[0][p]) / volume : 0;
}

// Of a Kirchhoff stress; 0 where nothing is left of the volume.
inline double cauchy_stress(double tau, double det) {
  return det != 0 ? tau / det : 0;
}

// Cauchy stress, tau / J, Pa; 0 where particles keep none.
template <class T, int D>
double stress_of(const MaterialSet<T, D>& set, std::size_t p, int i, int j) {
  const auto& stress = set.particles[column::stress];
  if (stress.components() == 0) return 0;
  const double det = det_of(set, p);
  if (stress.components() == 1) return i == j ? cauchy_stress(stress[0][p], det) : 0.0;
  return cauchy_stress(stress[SymMat<T, D>::index(i, j)][p], det);
}

// Pressure: minus the mean of the Cauchy stress.
template <class T, int D>
double pressure_of(const MaterialSet<T, D>& set, std::size_t p) {
  const auto& stress = set.particles[column::stress];
  if (stress.components() == 0) return 0;
  double mean = stress[0][p];
  if (stress.components() > 1) {
    mean = 0;
    for (int i = 0; i < D; ++i) mean += stress[i][p] / D;
  }
  return -cauchy_stress(mean, det_of(set, p));
}

// Principal Cauchy stresses, the largest (most tensile) first, Pa.
template <class T, int D>
Vec<double, D> principal_stress_of(const MaterialSet<T, D>& set, std::size_t p) {
  const auto& stress = set.particles[column::stress];
  if (stress.components() == 0) return Vec<double, D>::fill(0);
  const double det = det_of(set, p);
  if (stress.components() == 1) return Vec<double, D>::fill(cauchy_stress(stress[0][p], det));
  SymMat<double, D> tau;
  for (int k = 0; k < SymMat<double, D>::kSize; ++k) tau.e[k] = cauchy_stress(stress[k][p], det);
  Vec<double, D> values = spectrum(tau).eigenvalue;
  std::sort(&values[0], &values[0] + D, std::greater<>());
  return values;
}

// phi: the share of the pores that fluids fill; 0 where one species is alone.
template <class T, int D>
double fluid_fraction_of(const MaterialSet<T, D>& set, std::size_t p) {
  const auto& phi = set.particles[column::phi];
  return phi.components() > 0 ? double(phi[0][p]) : 0.0;
}

// Reads where the projection left a particle of the set: 0 elastic, 1 on the yield surface, 2 at
// its tip; nullptr for models that do not tell.
template <class T, int D>
std::function<double(std::size_t)> yield_case_reader(const MaterialSet<T, D>& set) {
  return visit_model(
      static_cast<int>(set.parameters.index()),
      [&](auto tag) -> std::function<double(std::size_t)> {
        using Model = typename decltype(tag)::type;
        using State = MaterialState<double, D, Model::kScalars>;
        if constexpr (requires(typename Model::template Constants<double> c, State state) {
                        Model::template yield_case<D>(c, state);
                      }) {
          const ParticleParameters<Model> model(
              std::get<typename Model::Parameters>(set.parameters), set.varied);
          return [&set, model](std::size_t p) {
            const auto constants = Model::template constants<double, D>(
                model.of(set.particles[column::varied], p), 1.0);
            State state;
            for (int i = 0; i < D * D; ++i)
              state.F(i / D, i % D) = set.particles[column::gradient][i][p];
            for (int k = 0; k < Model::kScalars; ++k)
              state.scalar[k] = set.particles[column::scalar][k][p];
            return Model::template yield_case<D>(
                constants.stiffened(double(set.particles[column::stiffness][0][p])), state);
          };
        } else {
          return nullptr;
        }
      });
}

}  // namespace firn
