// The section `air`: wind and drag on grains.
#pragma once

#include "base/describe.h"
#include "base/describe_scene.h"
#include "scene/varying.h"

namespace firn {

struct AirKeys {
  VaryingVector velocity{};  // in x, y, z, t
  double density = 1.2;      // kg/m^3
  double drag_coefficient = 0.47;
  double grain_diameter = 5e-4;  // m
  double grain_density = 0;      // kg/m^3; 0: that of the particles
  double cone_angle = 30;        // degrees

  template <class V>
  void describe(V& v) {
    v.varying_vector("velocity", velocity, {"wind", "m/s"}, space_time_variables());
    v.number("density", density, {"of the air", "kg/m^3", 0, 1e6});
    v.number("drag_coefficient", drag_coefficient, {"of a grain", "", 0, 1e6});
    v.number("grain_diameter", grain_diameter,
             {"of the grains that a particle stands for: the smaller, the more air slows them", "m",
              1e-9, 1e3});
    v.number("grain_density", grain_density,
             {"of a grain itself; that of the particles, pores and all, when not given", "kg/m^3",
              0, INFINITY, true});
    v.number("cone_angle", cone_angle,
             {"particles within this angle of where the air comes from shelter", "degrees", 0, 90,
              true});
  }
};

}  // namespace firn
