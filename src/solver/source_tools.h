// What emitters and sinks ask of particles that lie in host memory, whoever moves them.
#pragma once

#include "solver/solver.h"

namespace firn {

// Volume of the particles around x in a ball, m^D.
template <class T, int D>
double volume_around(const Particles<T, D>& all, const Vec3d& x, double radius);

// Flags of the particles inside open sinks, by set; empty where none goes. False: none goes at all.
template <class T, int D>
bool mark_sunk(const Particles<T, D>& all, const std::vector<Shape>& sinks,
               const std::vector<bool>& open, std::vector<std::vector<char>>& flags,
               RemovedParticles& removed);

// Adds kicks[id] to the velocities.
template <class T, int D>
void apply_kicks(Particles<T, D>& all, const std::vector<Vec3d>& kicks);

// What an interactive force does to the velocities in a step; none gets faster than `limit`, m/s.
template <class T, int D>
void apply_force(Particles<T, D>& all, const InteractiveForce& force, double dt, double limit);

}  // namespace firn
