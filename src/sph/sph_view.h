// What the stages of a step see of all particles, host and device: plain arrays, a particle's own
// under its number.
#pragma once

#include "base/mat.h"
#include "sph/pair_scalar.h"
#include "sph/wall_contact.h"
#include "sph/yield_law.h"

namespace firn {

// All that derives from dt, built once a step.
template <class T>
struct SphContext {
  T dt, inverse_h;
  double spacing;
  double norm;       // sum of the kernel over the rest lattice
  double moment;     // what its gradient makes of 1 there
  T relaxation;      // share of a diagonal step that iterations bear
  double tolerance;  // SphSettings::tolerance
  int max_iterations;
};

// The contacts of a particle among those of all.
struct WallRange {
  std::uint32_t first, count;
};

template <int D>
inline constexpr int kStressFours = D == 3 ? 2 : 1;

template <class T, int D>
struct SphView {
  std::size_t count;
  Four<T>* place;     // in its block, cells; volume, cells^D
  Four<T>* velocity;  // m/s; density, kg/m^3
  Four<T>* stress;    // kStressFours of each: SymMat, Pa
  Four<T>* leading;   // the same, where the next iteration looks
  Four<T>* free;      // velocity without stress, m/s
  Four<T>* shift;     // velocity that only positions get, m/s
  T* compression;     // density over that at rest, less 1
  T* diagonal;        // of pressure and compression, s^-1 Pa^-1
  T* shear_diagonal;  // of deviator and strain rate
  T* limit;           // of the norm of the deviator, Pa
  T* pressure;        // of the shift; and where its next iteration looks
  T* leading_pressure;
  const std::uint16_t* set;
  const YieldLaw<T>* laws;  // by set
  const WallRange* walls;
  const WallContact<T, D>* contacts;
  Vec<T, D>* given;     // what each contact gave to its particle, m/s
  const T* wall_share;  // of the kernel that lies in walls

  FIRN_INLINE const YieldLaw<T>& law(std::size_t i) const { return laws[set[i]]; }
};

template <class T, int D>
FIRN_INLINE SymMat<T, D> stress_at(const Four<T>* fours, std::size_t i) {
  SymMat<T, D> r;
  const T* e = fours[i * kStressFours<D>].e;
  for (int k = 0; k < r.kSize; ++k) r.e[k] = e[k];
  return r;
}
template <class T, int D>
FIRN_INLINE void set_stress(Four<T>* fours, std::size_t i, const SymMat<T, D>& s) {
  T* e = fours[i * kStressFours<D>].e;
  for (int k = 0; k < s.kSize; ++k) e[k] = s.e[k];
}

}  // namespace firn
