// The face of granular SPH on CUDA in a build without nvcc: it answers as cuda/device.h does.
#ifndef FIRN_CUDA
#include "sph_cuda/device_sph.h"

namespace firn {

template <class T, int D>
Result<std::unique_ptr<DeviceSph<T, D>>> make_device_sph(const DeviceSphSetup<T>&) {
  return device_name().errors();
}

#define FIRN_INSTANTIATE(T, D) \
  template Result<std::unique_ptr<DeviceSph<T, D>>> make_device_sph<T, D>(const DeviceSphSetup<T>&);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
#endif
