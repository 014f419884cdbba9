// Growth on a CUDA device: particles that spread over more and more blocks of the grid.
#pragma once

#include <string>
#include <vector>

#include "cases/compare_devices.h"

namespace firn {

struct Growth {
  std::string scene;
  std::size_t bytes_before = 0, bytes_after = 0;  // of device memory
  Agreement agreement;                            // with the CPU, afterwards
  // What is said with hardly more memory than the start takes, and with less.
  std::string no_room_to_grow, no_room_to_start;
  bool pass() const;
};

// One species, and two.
Result<std::vector<Growth>> check_growth();

}  // namespace firn
