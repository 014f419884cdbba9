// The particles of a species at a moment, in the memory of a device and in whatever order: a solver
// there writes them for those who follow its particles.
#pragma once

#include <cstdint>

#include "base/vec.h"

namespace firn {

template <int D>
struct ParticleRows {
  unsigned long long* id = nullptr;
  Vec<double, D>* position = nullptr;  // m
  Vec<float, D>* velocity = nullptr;   // m/s
  float* spacing = nullptr;            // m: edge of a cube of its volume
  std::uint32_t* count = nullptr;      // of the rows
};

}  // namespace firn
