// Sand in the limit of rigid grains: |s| <= slope p + cohesion for the deviator s of the stress,
// and a pressure that is not below that of the tip of this cone. The numbers are those of the model
// of elastic sand (material/sand.h), whose condition alpha tr(tau) + |dev tau| <= c it is.
#pragma once

#include "base/mat.h"
#include "material/sand.h"

namespace firn {

// Of one particle, or of several, T a pack of lanes.
template <class T>
struct YieldLaw {
  T slope, cohesion, least_pressure;  // -, Pa, Pa

  template <int D>
  static YieldLaw of(const Sand::Parameters& sand) {
    const double sine = sin_quadrant(sand.friction_angle * kDegree);
    const double slope = D * Sand::alpha_of(sine, sand.cone, D);
    // Without friction nothing but cohesion itself bounds tension.
    const double tip = slope > 1e-3 ? sand.cohesion / slope : sand.cohesion;
    return {T(slope), T(sand.cohesion), T(-tip)};
  }
  FIRN_INLINE T limit(T pressure) const { return max_of(slope * pressure + cohesion, T(0)); }

  // How fast a particle may be compressed until the step ends, 1/s. Sand that is too dense already
  // only must not get denser: its friction would hold what pressure pushes apart (shift.h does it).
  // Without friction pressure makes room itself, by and by: all at once it would push particles
  // apart in one step and have to hold them in the next.
  FIRN_INLINE T room(T compression, T dt) const {
    constexpr double kShare = 10, kFastest = 2;  // 1/s
    const T made = -min_of(max_of(compression, T(0)) * T(kShare), T(kFastest));
    return max_of(-compression / dt, select(slope > T(0), T(0), made));
  }

  // Pressure after a change: it grows by what compresses, once the room around the particle is used
  // up (`room`, 1/s to be filled in the step); tension grows by what pulls apart, down to the tip.
  FIRN_INLINE T pressure(T before, T compression, T room, T over_diagonal) const {
    const T pressed = before + (compression - room) * over_diagonal;
    const T pulled = before + compression * over_diagonal;
    return select(pressed > T(0), pressed, clamp(pulled, least_pressure, T(0)));
  }
};

// -p I + s becomes the two again.
template <class T, int D>
FIRN_INLINE T pressure_and_deviator(SymMat<T, D>& stress) {
  const T p = trace(stress) * T(-1.0 / D);
  for (int a = 0; a < D; ++a) stress.e[a] = stress.e[a] + p;
  return p;
}
template <class T, int D>
FIRN_INLINE T norm(const SymMat<T, D>& a) {
  T sum(0);
  for (int k = 0; k < a.kSize; ++k) sum = sum + T(k < D ? 1 : 2) * a.e[k] * a.e[k];
  return sqrt_of(sum);
}

}  // namespace firn
