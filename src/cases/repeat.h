// The deterministic mode of a CUDA device: whoever starts the steps, and wherever they are taken up
// again, they end in the same bytes.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace firn {

struct Repeat {
  std::string scene, manner;  // how the frame was run that is compared with a plain run of it
  bool same = false;
};

// Frames of some fifty steps, with several sorts.
Result<std::vector<Repeat>> check_repeats();

}  // namespace firn
