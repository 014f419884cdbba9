#include "cuda/device.h"
#include "cuda/memory.h"

namespace firn {

namespace {

__global__ void any_kernel() {}

// Whether the program holds code that the device can run.
bool has_code() {
  cudaFuncAttributes ignored;
  const bool found = cudaFuncGetAttributes(&ignored, any_kernel) == cudaSuccess;
  if (!found) cudaGetLastError();
  return found;
}

}  // namespace

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
  const std::string major = std::to_string(properties.major),
                    minor = std::to_string(properties.minor);
  if (!has_code())
    return Result<std::string>::failure(
        "--device cuda: this firn was built for other GPUs than the " +
        std::string(properties.name) + " (compute capability " + major + "." + minor +
        "); configure it with -DCMAKE_CUDA_ARCHITECTURES=" + major + minor +
        " or use --device cpu");
  return std::string(properties.name);
}

void set_device_memory_limit(std::size_t bytes) {
  DeviceMemory::set_limit(bytes);
}

}  // namespace firn
