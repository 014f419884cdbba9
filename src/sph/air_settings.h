// Air around the grains, from the scene.
#pragma once

#include "expr/varying.h"

namespace firn {

struct AirSettings {
  bool present = false;
  VaryingValue velocity[3];  // m/s
  bool varies_in_space = false;
  double density = 1.2;  // kg/m^3
  double drag_coefficient = 0.47;
  double grain_diameter = 5e-4;  // m
  double grain_density = 0;      // kg/m^3; 0: that of the particles
  double cone_cosine = 0.5;      // of the half angle in which others shelter

  FIRN_HD Vec3d wind_at(const Vec3d& x, double t) const {
    Vec3d wind;
    for (int a = 0; a < 3; ++a) wind[a] = velocity[a].at(x, t);
    return wind;
  }
  // Of a free grain of particles of some density: acceleration = drag |u| u for air that passes it
  // at u, 1/m.
  FIRN_HD double drag(double particle_density) const {
    const double grain = grain_density > 0 ? grain_density : particle_density;
    return 0.75 * drag_coefficient * density / (grain * grain_diameter);
  }
};

}  // namespace firn
