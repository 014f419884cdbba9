// The section `porous`: how species that share space act on each other.
#pragma once

#include <string>
#include <vector>

#include "base/describe.h"
#include "base/describe_scene.h"

namespace firn {

enum class CouplingKind { implicit, explicit_, limit, mixture };
enum class FractionKind { volume, binary };

struct PorousPair {
  std::string solid, fluid;
  double drag = 1e6;                                              // c_E, 1/(kg s)
  double conductivity = 0, permeability = 0, grain_diameter = 0;  // in its place where not 0
  double porosity = 0.4, viscosity = 1e-3;

  template <class V>
  void describe(V& v) {
    v.require("solid", "fluid");
    v.text("solid", solid, "species that the other one passes through");
    v.text("fluid", fluid, "species that passes");
    v.edits(Edits::at_once);
    v.number(
        "drag", drag,
        {"c_E: at a node the solid gets drag x its mass x the fluid's mass x the difference of "
         "their velocities; in the place of it one of the next three",
         "1/(kg s)", 0, 1e30, true});
    v.number(
        "conductivity", conductivity,
        {"hydraulic conductivity: the flux through the solid for a head that falls 1 m a metre",
         "m/s", 0, 1e6, true});
    v.number("permeability", permeability, {"of the solid, for any fluid", "m^2", 0, 1e6, true});
    v.number("grain_diameter", grain_diameter,
             {"permeability by Kozeny and Carman with Ergun's term for fast flow; drag of single "
              "grains where they are few",
              "m", 0, 1e3, true});
    v.number("porosity", porosity,
             {"share of the solid's volume that is not grains", "", 0, 1, true, true});
    v.number("viscosity", viscosity,
             {"of the fluid, for permeability and grain_diameter", "Pa s", 0, 1e9, true});
  }
};

struct PorousKeys {
  CouplingKind coupling = CouplingKind::implicit;
  double share = 0.5;
  bool buoyancy = false;
  FractionKind fraction = FractionKind::volume;
  std::vector<PorousPair> pairs;

  template <class V>
  void describe(V& v) {
    v.edits(Edits::at_reset);
    v.choice("coupling", coupling, {"implicit", "explicit", "limit", "mixture"},
             "how species exchange momentum: implicit bears any drag in any step; explicit no more "
             "than a share of what makes velocities equal; limit makes them equal, as one species; "
             "mixture is implicit, and the fluid fills the pores that the grains leave: what "
             "squeezes the solid squeezes the fluid");
    v.edits(Edits::at_once);
    v.number("share", share,
             {"explicit: how much of the difference of velocities one step may take away", "", 0, 1,
              true});
    v.edits(Edits::at_reset);
    v.flag("buoyancy", buoyancy,
           "the fluid's pressure carries the grains by their share of the volume (a mixture always "
           "has it)");
    v.choice("fraction", fraction, {"volume", "binary"},
             "what phi is: the share of the pores that the fluid fills, or 1 wherever solid and "
             "fluid meet at a node");
    v.list("pairs", pairs, {"species that act on each other"});
  }
};

}  // namespace firn
