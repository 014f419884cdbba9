// Quantities that follow from the state of one particle.
#pragma once

#include "base/mat.h"
#include "mpm/state.h"

namespace firn {

// Volume over initial volume.
template <class T, int D>
double det_of(const MaterialSet<T, D>& set, std::size_t p) {
  const auto& particles = set.particles;
  if (particles.gradient.components() == 0) return particles.scalar[0][p];
  Mat<double, D> f;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) f(i, j) = particles.gradient[i * D + j][p];
  return determinant(f);
}

// Volume now, m^D.
template <class T, int D>
double volume_of(const MaterialSet<T, D>& set, std::size_t p) {
  return set.particles.volume[0][p] * det_of(set, p);
}

// Cauchy stress, tau / J, Pa.
template <class T, int D>
double stress_of(const MaterialSet<T, D>& set, std::size_t p, int i, int j) {
  const auto& stress = set.particles.stress;
  const double det = det_of(set, p);
  if (stress.components() == 1) return i == j ? stress[0][p] / det : 0.0;
  return stress[SymMat<T, D>::index(i, j)][p] / det;
}

// Pressure: minus the mean of the Cauchy stress.
template <class T, int D>
double pressure_of(const MaterialSet<T, D>& set, std::size_t p) {
  const auto& stress = set.particles.stress;
  double mean = stress[0][p];
  if (stress.components() > 1) {
    mean = 0;
    for (int i = 0; i < D; ++i) mean += stress[i][p] / D;
  }
  return -mean / det_of(set, p);
}

}  // namespace firn
