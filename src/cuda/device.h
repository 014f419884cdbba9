// The CUDA device of this machine, if there is one.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace firn {

// "NVIDIA H200", or why there is none.
Result<std::string> device_name();

// Device memory that is still to be had counts as no more than this from now on; 0: all there is.
void set_device_memory_limit(std::size_t bytes);

}  // namespace firn
