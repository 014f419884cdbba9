// Energy that particles store in their deformation.
#pragma once

#include "particles/particles.h"

namespace firn {

// Of the particles [begin, end) of a set, J; 0 where the set does not keep what the model needs.
template <class T, int D>
double elastic_energy(const MaterialSet<T, D>& set, std::uint32_t begin, std::uint32_t end);

}  // namespace firn
