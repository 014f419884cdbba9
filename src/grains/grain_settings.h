// How grains are made of particles and follow them.
#pragma once

#include <cstdint>

#include "base/schemes.h"

namespace firn {

struct GrainSettings {
  GrainMethod method = GrainMethod::even;
  int per_particle = 70;
  double support = 3;         // of the weights of particles, particle radii
  double terminal_speed = 0;  // m/s of a grain that falls through still air; 0: no air
  std::uint64_t seed = 1;

  bool operator==(const GrainSettings&) const = default;
};

}  // namespace firn
