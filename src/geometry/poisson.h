// Saturated Poisson disk sampling of a shape; see sampling.h for the checked entry.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/shape.h"

namespace firn {

// Points of a bounded shape with positive size. Empty only for a shape without interior.
std::vector<Vec3d> sample_poisson(const Shape& shape, double spacing, std::uint64_t seed);

}  // namespace firn
