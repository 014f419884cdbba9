// Where a stretch of steps is in its frame; host and device.
#pragma once

#include <cstdint>

#include "base/macros.h"

namespace firn {

struct StretchClock {
  double frame_length = 0;                     // s
  double time_in_frame = 0;                    // s
  std::int64_t steps = 0;                      // of the stretch
  double dt_min = 0, dt_max = 0, last_dt = 0;  // s
  bool frame_done = false;

  FIRN_HD double remaining() const { return frame_length - time_in_frame; }
  // A step of dt is over.
  FIRN_HD void advance(double dt) {
    frame_done = dt >= remaining();
    dt_min = steps == 0 || dt < dt_min ? dt : dt_min;
    dt_max = steps == 0 || dt > dt_max ? dt : dt_max;
    last_dt = dt;
    time_in_frame += dt;
    ++steps;
  }
};

}  // namespace firn
