// The icosahedron that stands for a particle: as a ball, its volume is that of radius 1.
#pragma once

#include <array>

#include "base/vec.h"

namespace firn {

struct Icosahedron {
  std::array<Vec3f, 12> corners;
  std::array<std::array<int, 3>, 20> faces;  // counterclockwise from outside
};
const Icosahedron& icosahedron();

}  // namespace firn
