// Drag of air on one particle (GRAIN 5.6 with physics.md 33 and 39).
#pragma once

#include "base/math.h"
#include "base/vec.h"

namespace firn {

// Wind next to a surface flows along it. `gradient`: of the share of room that is filled, 1/cells,
// which is about this large on an even surface, and less where there is none.
template <class T, int D>
FIRN_INLINE Vec<T, D> wind_along_surface(const Vec<T, D>& wind, const Vec<T, D>& gradient) {
  constexpr double kOnSurface = 0.5;
  const T size2 = dot(gradient, gradient);
  if (!(size2 > T(1e-12))) return wind;
  const T share = min_of(sqrt_of(size2) * T(1 / kOnSurface), T(1));
  return wind - gradient * (share * dot(wind, gradient) / size2);
}

// Grains below the surface feel no air: from the room that is not filled around a particle, 0.11 on
// an even surface and half of all for a particle alone.
template <class T>
FIRN_INLINE T share_in_air(T room) {
  constexpr double kInside = 0.03, kOutside = 0.1;
  return clamp((room - T(kInside)) * T(1 / (kOutside - kInside)), T(0), T(1));
}

// What the nearest to the middle of the cone upwind leaves of the drag; `cosine` of its angle.
template <class T>
FIRN_INLINE T share_beside(T cosine, T cone_cosine) {
  return clamp((T(1) - cosine) / (T(1) - cone_cosine), T(0), T(1));
}

// What a wall upwind leaves: it shelters where the way of the air to the particle, a cell long,
// began in it. `slope`: of that way against the wall; `distance` in cells.
template <class T>
FIRN_INLINE T share_before_wall(T slope, T distance) {
  if (!(slope > distance)) return T(1);
  return clamp(T(2) - slope / max_of(distance, T(1e-6)), T(0), T(1));
}

// What drag leaves of the speed u of passing air after a step, as a factor: u' = u - dt drag u'^2,
// so that steps of any length end below u and at the same final speed of a fall.
template <class T>
FIRN_INLINE T left_of_speed(T speed, T drag, T dt) {
  return T(2) / (T(1) + sqrt_of(T(1) + T(4) * dt * drag * speed));
}

}  // namespace firn
