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
// any positive ones of about the right size; their sum becomes the volume of the shape.
void even_volumes(const Shape& shape, KernelKind kernel, double spacing, const Vec3d* positions,
                  std::size_t n, double* volumes);

}  // namespace firn
