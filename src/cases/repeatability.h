// The same bytes from the same scene: whoever starts the steps, wherever they are taken up again,
// and whatever else the program computes at the time. The CPU and the deterministic mode of a CUDA
// device promise that.
#pragma once

#include <functional>
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
// scenes with emitters and a sink, moving bodies, fluids that keep their volume, and implicit
// steps. With names only those, or all that begin with such a word ("implicit"). Each is told as
// soon as it is known. An error: there is no such device, or no such case.
Errors check_repeats(Device device, const std::vector<std::string>& names,
                     const std::function<void(const Repeat&)>& tell);

}  // namespace firn
