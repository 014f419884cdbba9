// What the species at a node do to each other (docs/porous.md); host and device.
//
// Volumes are counted in cells. A solid of porosity n has a bulk volume, pores included, and that
// of its grains. A fluid fills what it fills. In a mixture the two share the room, as they do in
// nature; in the other forms the fluid has all of it, and the solid is in the same place.
#pragma once

#include "base/math.h"
#include "mpm/porous_settings.h"

namespace firn {

// Of each species at a node.
template <class T>
struct NodeMatter {
  T mass[kMostSpecies] = {};    // kg
  T bulk[kMostSpecies] = {};    // cells: of solids as deformed, of fluids what they fill
  T grains[kMostSpecies] = {};  // cells: of solids
};

// What a node field holds of a species in its four lanes: of solids bulk and grains, of fluids the
// impulse of their pressure in the first ones, and the volume that they fill.
enum MatterLane { kBulk = 0, kGrains = 3, kFluidVolume = 3 };

template <class T, class Lanes>
FIRN_HD inline void take_matter(const PorousSettings& porous, int s, const Lanes& lanes,
                                NodeMatter<T>& at) {
  at.bulk[s] = porous.is_fluid[s] ? lanes[kFluidVolume] : lanes[kBulk];
  at.grains[s] = porous.is_solid[s] ? lanes[kGrains] : T(0);
}

// The same where volumes follow from mass: `per_mass` is what a kilogram fills, cells.
template <class T>
FIRN_HD inline void take_matter_of_mass(const PorousSettings& porous, int s, T per_mass,
                                        NodeMatter<T>& at) {
  at.bulk[s] = at.mass[s] * per_mass;
  at.grains[s] = porous.is_solid[s] ? at.bulk[s] * T(1 - porous.porosity[s]) : T(0);
}

constexpr double kStandardGravity = 9.80665;  // m/s^2, by which conductivities are measured
constexpr double kLeastPorosity = 0.05;       // a denser node counts as this

// Room that a solid and a fluid share at a node, cells. Kernels are cut off at walls, and so is
// what is laid there: the room is what the two need of it, a whole cell at most where it is not the
// solid that needs more.
template <class T>
FIRN_HD inline T shared_room(const PorousSettings& porous, T bulk, T grains, T fluid) {
  const T needed = porous.form == DragForm::mixture ? grains + fluid : fluid;
  return max_of(bulk, min_of(needed, T(1)));
}

// Share of the room that the grains of a solid take where a fluid is, 0 to 1.
template <class T>
FIRN_HD inline T solid_fraction(const PorousSettings& porous, T bulk, T grains, T fluid) {
  if (!(grains > T(0))) return T(0);
  const T room = shared_room(porous, bulk, grains, fluid);
  return min_of(grains / room, T(1 - kLeastPorosity));
}
template <class T>
FIRN_HD inline T solid_fraction(const PorousSettings& porous, const NodeMatter<T>& at, int s,
                                int f) {
  return solid_fraction(porous, at.bulk[s], at.grains[s], at.bulk[f]);
}

// The same where other solids have left a share `porosity` of the room: of the flow of all, that of
// this solid.
template <class T>
FIRN_HD inline T solid_flow(const PorousSettings& porous, T bulk, T grains, T fluid, T porosity) {
  return min_of(solid_fraction(porous, bulk, grains, fluid), porosity - T(kLeastPorosity));
}

// What a solid leaves to fluids.
template <class T>
FIRN_HD inline T pores_of(const PorousSettings& porous, T bulk, T grains) {
  return porous.form == DragForm::mixture ? bulk - grains : bulk;
}

// phi: the share of the pores that fluids fill, or 1 wherever solids and fluids meet.
template <class T>
FIRN_HD inline T filled_share(FractionForm form, bool has_solid, T pores, T fluid) {
  if (form == FractionForm::binary) return has_solid && fluid > T(0) ? T(1) : T(0);
  return pores > fluid ? fluid / pores : fluid > T(0) ? T(1) : T(0);
}
template <class T>
FIRN_HD inline T fluid_fraction(const PorousSettings& porous, const NodeMatter<T>& at) {
  T pores = T(0), fluid = T(0);
  bool has_solid = false;
  for (int s = 0; s < porous.species; ++s) {
    if (porous.is_fluid[s]) fluid += at.bulk[s];
    if (!porous.is_solid[s]) continue;
    has_solid = has_solid || at.bulk[s] > T(0);
    pores += pores_of(porous, at.bulk[s], at.grains[s]);
  }
  return filled_share(porous.fraction, has_solid, pores, fluid);
}

namespace detail {

// Resistance of grains to a flux, Pa s/m^2: a bed by Kozeny and Carman with the quadratic term of
// Ergun, single grains by Stokes with the corrections of Schiller and Naumann for speed and of Wen
// and Yu for company; the larger.
template <class T>
FIRN_HD inline T grain_resistance(T solid, T diameter, T viscosity, T density, T flux) {
  const T n = max_of(T(1) - solid, T(kLeastPorosity)), n3 = n * n * n;
  const T bed = (T(180) * viscosity * solid * solid / (diameter * diameter) +
                 T(1.75) * density * solid / diameter * flux) /
                n3;
  const T reynolds = max_of(density * flux * diameter / viscosity, T(1e-12));
  const T single = T(18) * viscosity * solid / (diameter * diameter) *
                   (T(1) + T(0.15) * pow_of(reynolds, T(0.687))) * pow_of(n, T(-4.65));
  return max_of(bed, single);
}

}  // namespace detail

// Drag between the two of a pair, kg/s; `cell` is the volume of a cell, m^D, `speed` their
// difference of velocities. Where the fluid has a share `flow` of the room its flux is flow x
// speed, and a resistance R makes a force flow^2 R on a unit of room; at the surface of a solid R
// counts by the solid that is there.
template <class T>
FIRN_HD inline T drag_at_node(const PorousSettings& porous, const PairSettings& pair,
                              const NodeMatter<T>& at, T cell, T speed) {
  const int s = pair.solid, f = pair.fluid;
  const T value = T(pair.value);
  if (pair.law == DragLaw::coefficient) return value * at.mass[s] * at.mass[f];
  const T bulk = at.bulk[s], fluid = at.bulk[f];
  if (!(bulk > T(0)) || !(fluid > T(0))) return T(0);
  const T flow = porous.form == DragForm::mixture ? T(1) - solid_fraction(porous, at, s, f) : T(1);
  const T wet = min_of(fluid / (flow * bulk), T(1));
  const T density = at.mass[f] / (fluid * cell);
  T resistance = density * T(kStandardGravity) / value;
  if (pair.law == DragLaw::permeability) resistance = T(pair.viscosity) / value;
  if (pair.law == DragLaw::grains)
    resistance = detail::grain_resistance(min_of(at.grains[s] / bulk, T(1 - kLeastPorosity)), value,
                                          T(pair.viscosity), density, flow * speed);
  return flow * flow * resistance * bulk * wet * cell;
}

}  // namespace firn
