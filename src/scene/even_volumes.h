// Volumes of the particles of a fluid that fill the grid evenly.
//
// Equal volumes at irregular places lay an uneven density on the grid: by 5 % from node to node for
// Poisson disks. A fluid has no strength to bear that, so that dense parts sink and stir the rest
// for seconds. A body that is even gives the node i the volume T_i = the integral of its kernel
// over the shape, whatever the particles; volumes are found with sum_p w_ip V_p = T_i.
#pragma once

#include "base/schemes.h"
#include "scene/initial_particles.h"

namespace firn {

// Changes volumes[0..n), those of the particles at positions[0..n) that fill the shape, at first
// equal ones whose sum is the volume of the shape, which it stays. Those that are even already are
// left as they are.
void even_volumes(const Shape& shape, KernelKind kernel, double spacing, const Vec3d* positions,
                  std::size_t n, double* volumes);

}  // namespace firn
