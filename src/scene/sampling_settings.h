// How particles fill a shape, and their colours, as a scene file states them.
#pragma once

#include <cmath>

#include "base/describe.h"
#include "base/vec.h"
#include "geometry/sampling.h"

namespace firn {

struct Sampling {
  SamplingKind kind = SamplingKind::poisson;
  double particles_per_cell = 0;  // 0: 2^dimension, or as the spacing says
  double spacing = 0;             // m; 0: as particles_per_cell says

  template <class V>
  void describe(V& v) {
    v.choice("type", kind, {"grid", "random", "stratified", "poisson"},
             "how points fill the shape: lattice, uniform, one per lattice cell, or blue noise");
    v.number(
        "particles_per_cell", particles_per_cell,
        {"mean number of particles in a grid cell; 2^dimension when not given", "", 0, 1e6, true});
    v.number("spacing", spacing,
             {"mean distance of particles, instead of particles_per_cell", "m", 0, INFINITY, true});
    v.conflict("particles_per_cell", "spacing");
  }
};

struct WeightedColor {
  Vec3d rgb{{0.8, 0.8, 0.8}};
  double probability = 1;

  template <class V>
  void describe(V& v) {
    v.require("color");
    v.color("color", rgb, "colour, \"#rrggbb\" or red, green, blue in 0..1");
    v.number("probability", probability,
             {"share of the particles, relative to the other entries", "", 0, 1e9});
  }
};

}  // namespace firn
