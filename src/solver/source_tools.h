// What emitters and sinks ask of particles that lie in host memory, whoever moves them.
#pragma once

#include "particles/add_remove.h"
#include "solver/solver.h"

namespace firn {

// Volume of the particles around x in a ball, m^D.
template <class T, int D>
double volume_around(const Particles<T, D>& all, const Vec3d& x, double radius);

// Whether any particle is inside an open sink.
template <class T, int D>
bool any_sunk(const Particles<T, D>& all, const std::vector<Shape>& sinks,
              const std::vector<bool>& open);

// The first half of an exchange: sorts what drifted, marks those that go and puts new ones behind
// the sorted, to be given what their solver needs. Then finish_exchange.
template <class T, int D>
ParticleChanges<T, D> begin_exchange(Particles<T, D>& all, const std::vector<Shape>& sinks,
                                     ParticleTraffic<T, D>& traffic, RemovedParticles& removed);
// Groups them by blocks.
template <class T, int D>
Errors finish_exchange(Particles<T, D>& all, const ParticleChanges<T, D>& changes);

// Adds kicks[id] to the velocities.
template <class T, int D>
void apply_kicks(Particles<T, D>& all, const std::vector<Vec3d>& kicks);

// What an interactive force does to the velocities in a step; none gets faster than `limit`, m/s.
template <class T, int D>
void apply_force(Particles<T, D>& all, const InteractiveForce& force, double dt, double limit);

}  // namespace firn
