// How species act on each other at the nodes that they share (docs/porous.md).
#pragma once

#include "base/math.h"

namespace firn {

constexpr int kMostSpecies = 8;

enum class DragForm {
  implicit,   // of any strength, in steps of any length
  explicit_,  // no more than a share of what makes velocities equal
  limit,      // equal velocities: all species on the same nodes
  mixture     // implicit, and the fluid fills the pores that the solid leaves
};

// What sets the strength of a drag.
enum class DragLaw { none, coefficient, conductivity, permeability, grains };

// One species passes through another.
struct PairSettings {
  DragLaw law = DragLaw::none;
  // MULTI's c_E, 1/(kg s); hydraulic conductivity, m/s; permeability, m^2; diameter, m.
  double value = 0;
  double viscosity = 1e-3;  // of the fluid, Pa s
  int solid = 0, fluid = 0;
};

// What phi, the volume fraction that particles know, counts.
enum class FractionForm { volume, binary };

// Flat, so that devices take it as it is.
struct PorousSettings {
  DragForm form = DragForm::implicit;
  double share = 1;  // explicit: of the limit, at most
  int species = 1;
  int pair_of[kMostSpecies][kMostSpecies] = {};  // 1 + index of their pair; 0: they do not meet
  PairSettings pairs[kMostSpecies * (kMostSpecies - 1) / 2];
  bool buoyancy = false;
  FractionForm fraction = FractionForm::volume;
  double porosity[kMostSpecies] = {};                             // of solids, else 0
  bool is_solid[kMostSpecies] = {}, is_fluid[kMostSpecies] = {};  // of some pair
  bool fractions_wanted = false;                                  // particles keep phi
  // kg/m^3, of solids with their pores: where all particles of a species have the same, else 0.
  double density[kMostSpecies] = {};

  FIRN_HD bool as_one() const { return form == DragForm::limit; }
  // Whether volumes at the nodes are needed, and the pressure of fluids apart from the rest.
  FIRN_HD bool wants_pressure() const {
    return species > 1 && !as_one() && (buoyancy || form == DragForm::mixture);
  }
  bool wants_volumes_each_step() const {
    bool physical = false;
    for (const PairSettings& pair : pairs) physical = physical || pair.law > DragLaw::coefficient;
    return species > 1 && !as_one() && (physical || wants_pressure());
  }
  bool wants_volumes() const {
    return species > 1 && (fractions_wanted || wants_volumes_each_step());
  }
};

}  // namespace firn
