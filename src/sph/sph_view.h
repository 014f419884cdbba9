// What the stages of a step see of all particles, host and device: plain arrays, a particle's own
// under its number.
#pragma once

#include "base/mat.h"
#include "sph/four.h"
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
  double steepest;   // the largest that its gradient over that is
  double wall_gap;   // that walls seem farther away, cells (wall_share.h)
  T calm;            // damping of jitter, so that neighbours that move to and fro come to rest
  T relaxation;      // share of a diagonal step that iterations of stress bear
  double tolerance;  // SphSettings::tolerance
  // What loops aim at, so that what a step adds beside them stays within the tolerance of density.
  FIRN_INLINE double aim() const { return 0.7 * tolerance; }
  // In a bed at rest the mean is below the tolerance from the first iteration on, while what lies
  // loose creeps and layers begin to slide; who asks for little may let them.
  FIRN_INLINE int fewest_iterations() const {
    constexpr double kUsual = 1e-2;  // at a tolerance of 1
    return static_cast<int>(min_of(max_of(kUsual / tolerance, 2.0), 10.0));
  }
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
// What stress leaves of its fours: the pressure of the last shift, which the next one begins with.
// Iterations of stress overwrite it.
template <int D, class T>
FIRN_INLINE auto& shift_pressure_at(T* fours, std::size_t i) {
  return fours[(i + 1) * kStressFours<D> - 1].e[3];
}
template <class T, int D>
FIRN_INLINE void set_stress(Four<T>* fours, std::size_t i, const SymMat<T, D>& s) {
  T* e = fours[i * kStressFours<D>].e;
  for (int k = 0; k < s.kSize; ++k) e[k] = s.e[k];
}

// The same for what a function of one particle is asked for: one, or several as lanes
// (pair_scalar.h, pair_lanes.h).
template <int D, class Lanes, class T, class S = typename Lanes::S>
FIRN_INLINE SymMat<S, D> load_stress(const Lanes& lanes, const Four<T>* fours, std::size_t i) {
  SymMat<S, D> r;
  S part[4];
  for (int four = 0; four < kStressFours<D>; ++four) {
    lanes.load(fours + four, i, kStressFours<D>, part);
    for (int k = 4 * four; k < r.kSize && k < 4 * four + 4; ++k) r.e[k] = part[k - 4 * four];
  }
  return r;
}
template <class Lanes, class T, class S, int D>
FIRN_INLINE void store_stress(const Lanes& lanes, Four<T>* fours, std::size_t i,
                              const SymMat<S, D>& s) {
  for (int four = 0; four < kStressFours<D>; ++four) {
    S part[4];
    for (int k = 0; k < 4; ++k)
      part[k] = 4 * four + k < s.kSize ? s.e[4 * four + k < s.kSize ? 4 * four + k : 0] : S(0);
    lanes.store(fours + four, i, kStressFours<D>, part);
  }
}

}  // namespace firn
