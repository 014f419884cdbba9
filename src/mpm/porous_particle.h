// What one particle, or a SIMD vector of them, gives to the nodes that species share, and what it
// is told there (docs/porous.md); host and device.
#pragma once

#include "base/mat.h"
#include "mpm/porous_node.h"

namespace firn {

// Steps between two looks of particles at phi: what is wet changes as slowly as particles move.
constexpr int kFractionInterval = 8;

// Whether the bulk that a species lays follows its strain: of solids only where something asks how
// dense they are.
FIRN_HD inline bool lays_strain(const PorousSettings& porous, int species) {
  if (porous.is_fluid[species] || porous.form == DragForm::mixture) return true;
  for (const PairSettings& pair : porous.pairs)
    if (pair.law == DragLaw::grains) return true;
  return false;
}

// Whether the volumes of a species are in proportion to the mass that is at the nodes already:
// where all of it is equally dense, and its strain does not count. That of a fluid does in a
// mixture alone; elsewhere it is as good as incompressible.
FIRN_HD inline bool fills_by_mass(const PorousSettings& porous, int species) {
  if (porous.as_one() || !(porous.density[species] > 0)) return false;
  return porous.is_fluid[species] ? porous.form != DragForm::mixture
                                  : porous.is_solid[species] && !lays_strain(porous, species);
}

// Cells that a kilogram fills there, pores included; a cell has a volume of `cell`, m^D.
template <class T>
FIRN_HD inline T cells_by_mass(const PorousSettings& porous, int species, T cell) {
  return T(1) / (T(porous.density[species]) * cell);
}

// Whether it lays the pressure that it has as a fluid.
FIRN_HD inline bool lays_pressure(const PorousSettings& porous, int species) {
  return porous.is_fluid[species] && porous.wants_pressure();
}

// Whether it lays anything on nodes.
FIRN_HD inline bool lays_matter(const PorousSettings& porous, int species) {
  if (lays_pressure(porous, species)) return true;
  return (porous.is_fluid[species] || porous.is_solid[species]) && !fills_by_mass(porous, species);
}

// Volume now over the initial one, of a solid that gained `dilation` by coming apart.
template <class S, int D>
FIRN_INLINE S volume_ratio(const Mat<S, D>& F) {
  return determinant(F);
}
template <class S, int D>
FIRN_INLINE S volume_ratio(const Mat<S, D>& F, S dilation) {
  return determinant(F) * exp_of(dilation);
}

// Of a solid its bulk and its grains, which no strain changes; of a fluid what it fills, in the
// place of the grains. `whole` is the initial volume in cells, `now` the present one.
template <class S>
struct LaidMatter {
  S bulk, grains;
};
template <class S>
FIRN_INLINE LaidMatter<S> laid_matter(bool fluid, S whole, S now, S share) {
  return {fluid ? S(0) : now, fluid ? now : whole * share};
}

// The isotropic part of the Kirchhoff stress; diagonal(a) gives its entries.
template <int D, class Diagonal>
FIRN_INLINE auto mean_stress(const Diagonal& diagonal) {
  using S = decltype(diagonal(0));
  S sum(0);
  for (int a = 0; a < D; ++a) sum += diagonal(a);
  return sum * S(ScalarOf<S>(1.0 / D));
}

// What the flow of a mixture tells a particle of its fluid: d ln J / dt is
// div(n v_f + (1 - n) v_s) / n, and the particle stands for V / n of the mixture.
template <class S>
struct FlowTold {
  S swelling, room;
};
// In a step of dt volumes change by kMostSwelling at most. With the linear kernel a node that a
// particle hardly touches has hardly any mass, any velocity, and a whole part in gradients.
constexpr double kMostSwelling = 0.05;
template <class S, class T>
FIRN_INLINE FlowTold<S> told_by_flow(S divergence, S porosity, S volume, T dt) {
  const S n = max_of(porosity, S(ScalarOf<S>(kLeastPorosity)));
  const S most(T(kMostSwelling) / dt);
  return {clamp(divergence / n, S(0) - most, most), volume / n};
}

// What the flow of a mixture does to the volume of its fluid, in the place of the fluid's own.
template <class S, int D>
FIRN_INLINE void swell_instead(S swelling, Mat<S, D>& rate) {
  const S more = (swelling - trace(rate)) * S(ScalarOf<S>(1.0 / D));
  for (int i = 0; i < D; ++i) rate(i, i) += more;
}

}  // namespace firn
