// What a step found, for the next dt and for the user.
#pragma once

#include <cstddef>

#include "base/vec.h"

namespace firn {

struct StepReport {
  double max_signal = 0;    // largest wave speed + particle speed, m/s
  double max_speed = 0;     // m/s
  double max_motion = 0;    // m/s, velocity that positions moved at; FLIP keeps another one
  double drift = 0;         // largest distance a particle moved, cells (bound)
  double max_push = 0;      // farthest that an obstacle moved a particle, cells
  std::size_t plastic = 0;  // particles that yielded
  int bad_set = -1;         // set and index of a particle whose state is not finite
  std::size_t bad_particle = 0;
  // Gravity is not finite at bad_place, or the surface of a collider says there what cannot be.
  bool bad_field = false;
  Vec3d bad_place{{0, 0, 0}};
};

}  // namespace firn
