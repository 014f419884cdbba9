// The face of the CUDA backend in a build without nvcc.
#ifndef FIRN_CUDA
#include "cuda/device_operators.h"
#include "cuda/device_solver.h"

namespace firn {
namespace {

constexpr const char* kMissing =
    "--device cuda: this firn was built without CUDA; use --device cpu, or build it where nvcc is";

}  // namespace

Result<std::string> device_name() {
  return Result<std::string>::failure(kMissing);
}

void set_device_memory_limit(std::size_t) {}

template <class T, int D>
Result<std::unique_ptr<DeviceSolver<T, D>>> make_device_solver(const DeviceSetup&) {
  return Errors{kMissing};
}

template <class T, int D>
Result<std::unique_ptr<DeviceOperators<T, D>>> make_device_operators(const MpmSettings&) {
  return Errors{kMissing};
}

#define FIRN_INSTANTIATE(T, D)                                                         \
  template Result<std::unique_ptr<DeviceSolver<T, D>>> make_device_solver<T, D>(       \
      const DeviceSetup&);                                                             \
  template Result<std::unique_ptr<DeviceOperators<T, D>>> make_device_operators<T, D>( \
      const MpmSettings&);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
#endif
