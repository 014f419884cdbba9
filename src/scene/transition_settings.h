// Particles that become another material or species during a run.
#pragma once

#include <cmath>
#include <string>

#include "base/describe.h"

namespace firn {

struct TransitionSettings {
  std::string name;
  int from = 0;  // index into SceneSettings::materials
  std::string species;
  std::string when = "0";
  int to = 0;  // index into SceneSettings::materials
  std::string to_species;
  double density = 0;  // kg/m3; 0: the volume stays

  template <class V>
  void describe(V& v) {
    v.require("from", "when", "to");
    v.text("name", name, "unique name of the transition");
    v.reference("from", from, "materials", "material that particles have before");
    v.text("species", species, "species that they are of; all when not given");
    v.text("when", when,
           "expression by particle that is above 0 where it changes (comparisons are 1 or 0), in "
           "phi, x, y, z, t, speed, pressure, the scene's scalars and those of the model before");
    v.reference("to", to, "materials", "material that they have afterwards");
    v.text("to_species", to_species,
           "species that they are of afterwards; the same when not given");
    v.number(
        "density", density,
        {"of the new material without stress; when not given the volume of a particle stays as "
         "it is",
         "kg/m^3", 0, INFINITY, true});
  }
};

}  // namespace firn
