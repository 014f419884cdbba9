// The face of MPM on CUDA in a build without nvcc: it answers as cuda/device.h does.
#ifndef FIRN_CUDA
#include "mpm_cuda/device_operators.h"
#include "mpm_cuda/device_solver.h"

namespace firn {
template <class T, int D>
Result<std::unique_ptr<DeviceSolver<T, D>>> make_device_solver(const DeviceSetup&) {
  return device_name().errors();
}

template <class T, int D>
Result<std::unique_ptr<DeviceOperators<T, D>>> make_device_operators(const MpmSettings&) {
  return device_name().errors();
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
