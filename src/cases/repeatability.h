// The same bytes from the same scene: whoever starts the steps, wherever they are taken up again,
// and whatever else the program computes at the time. The CPU and the deterministic mode of a CUDA
// device promise that.
#pragma once

#include <string>
#include <vector>

#include "sim/world.h"

namespace firn {

struct Repeat {
  std::string scene, manner;  // how the frame was run that is compared with a plain run of it
  std::string difference;     // what is not the same, or why there is nothing; empty: all is
  bool same() const { return difference.empty(); }
};

// Frames of some fifty steps and more, with several sorts: three materials with two transfers, and
// scenes with emitters and a sink, moving bodies, and fluids that keep their volume.
// An error: there is no such device.
Result<std::vector<Repeat>> check_repeats(Device device);

}  // namespace firn
