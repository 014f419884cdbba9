// The face of this room in a build without nvcc.
#ifndef FIRN_CUDA
#include "cuda/device.h"

namespace firn {

Result<std::string> device_name() {
  return Result<std::string>::failure(
      "--device cuda: this firn was built without CUDA; use --device cpu, or build it where nvcc "
      "is");
}

void set_device_memory_limit(std::size_t) {}

}  // namespace firn
#endif
