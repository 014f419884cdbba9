// Fluids keep their volume. J of a fluid particle follows the divergence of velocity at one point,
// which is not quite what its neighbourhood does: over many strains J and the room that particles
// really take drift apart, and water vanishes (MULTI 9) or swells. Every few steps the claimed
// volumes V J are therefore laid on the grid, compared there with the room between the obstacles,
// and every particle gets a source, 1/s, that its material update adds to the divergence until the
// next look. docs/physics_fluids.md derives it and has the numbers.
#pragma once

#include "mpm/grid_update.h"
#include "mpm/volume_source.h"

namespace firn {

// Steps between two looks: fewer where particles are poured, one where they are implicit. A long
// step strains much, and what it found is no longer true after some of them.
template <class T, int D>
int volume_interval(const MpmSettings& settings, const MpmState<T, D>& state);

// Brings the sources of all particles that have one up to date, fluids and poured sand; dt is that
// of the last step. The particles
// must be sorted. Arenas and grid serve as scratch: between a gather and the next scatter they hold
// nothing.
template <class T, int D>
void update_volume_sources(const MpmSettings& settings, const std::vector<Collider>& colliders,
                           const ContactMap<D>& contacts, double dt, MpmState<T, D>& state);

// How much of the kernel around a node lies outside of colliders[near[...]], 0 to 1.
template <int D>
double open_fraction(const Vec3d& node, double h, KernelKind kernel,
                     const std::vector<Collider>& colliders, const std::vector<int>& near);

}  // namespace firn
