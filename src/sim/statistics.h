// Sums over all particles, the same bits for any number of threads.
#pragma once

#include <string>
#include <vector>

#include "particles/particles.h"
#include "sim/world.h"

namespace firn {

// Fills the mechanical quantities of `stats`; gravity potential is relative to the origin.
template <class T, int D>
void measure(const Particles<T, D>& all, const Vec3d& gravity, FrameStats& stats);

// The particles of each species by themselves, in the order of the names.
template <class T, int D>
std::vector<SpeciesStats> measure_species(const Particles<T, D>& all,
                                          const std::vector<std::string>& names);

// The least of the particles of each set, kg/m^3; infinite where there are none.
template <class T, int D>
std::vector<double> least_densities(const Particles<T, D>& all);

}  // namespace firn
