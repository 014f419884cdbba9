#include "cuda/device.h"
#include "cuda/memory.h"

namespace firn {

Result<std::string> device_name() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) {
    cudaGetLastError();
    return Result<std::string>::failure(
        "--device cuda: no CUDA device was found on this machine; use --device cpu");
  }
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess)
    return Result<std::string>::failure("--device cuda: the CUDA device does not answer");
  return std::string(properties.name);
}

void set_device_memory_limit(std::size_t bytes) {
  DeviceMemory::set_limit(bytes);
}

}  // namespace firn
