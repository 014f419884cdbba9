// Sums over all particles, the same bits for any number of threads.
#pragma once

#include "mpm/state.h"
#include "scene/settings.h"
#include "sim/world.h"

namespace firn {

// D of the affine matrix that particles of the scene store, m^2; 0 where the transfer keeps none.
double affine_d(const SceneSettings& scene);

// Fills the mechanical quantities of `stats`; gravity potential is relative to the origin.
template <class T, int D>
void measure(const MpmState<T, D>& state, double h, double kernel_shift, const Vec3d& gravity,
             double affine_d, FrameStats& stats);

// The least of the particles of each set, kg/m^3; infinite where there are none.
template <class T, int D>
std::vector<double> least_densities(const MpmState<T, D>& state);

}  // namespace firn
