// Air slows grains and wind carries them: changes the velocities that stress starts from.
#pragma once

#include "sph/air_settings.h"
#include "sph/sph_state.h"

namespace firn {

struct AirReport {
  double strongest = 0;  // wind at a particle, m/s
  bool wrong = false;    // wind is not finite at `place`
  Vec3d place{{0, 0, 0}};
};

// `time`: of the middle of the step, s. Compression of all particles is known.
template <class T, int D>
AirReport blow_air(const SphContext<T>& ctx, SmoothingKind kernel, const AirSettings& air,
                   double time, SphState<T, D>& state);

// The strongest wind at any particle.
template <class T, int D>
double strongest_wind(const AirSettings& air, const Particles<T, D>& all, double time);

}  // namespace firn
