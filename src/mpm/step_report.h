// What the blocks of a step report, as one.
#pragma once

#include <algorithm>
#include <vector>

#include "mpm/solver.h"

namespace firn {

// Largest of the reports of all blocks; sums in block order.
inline StepReport combined(const std::vector<StepReport>& blocks) {
  StepReport total;
  for (const StepReport& block : blocks) {
    total.max_signal = std::max(total.max_signal, block.max_signal);
    total.max_speed = std::max(total.max_speed, block.max_speed);
    total.max_motion = std::max(total.max_motion, block.max_motion);
    total.max_push = std::max(total.max_push, block.max_push);
    total.plastic += block.plastic;
    if (block.bad_set >= 0 && total.bad_set < 0) {
      total.bad_set = block.bad_set;
      total.bad_particle = block.bad_particle;
    }
  }
  return total;
}

}  // namespace firn
