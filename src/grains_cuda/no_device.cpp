// The face of fine grains on CUDA in a build without nvcc: it answers as cuda/device.h does.
#ifndef FIRN_CUDA
#include "grains_cuda/device_grains.h"

namespace firn {

template <int D>
Result<std::unique_ptr<DeviceGrains<D>>> make_device_grains(const GrainCloud<D>&,
                                                            const DeviceGrainSurroundings&) {
  return device_name().errors();
}

template Result<std::unique_ptr<DeviceGrains<2>>> make_device_grains(
    const GrainCloud<2>&, const DeviceGrainSurroundings&);
template Result<std::unique_ptr<DeviceGrains<3>>> make_device_grains(
    const GrainCloud<3>&, const DeviceGrainSurroundings&);

}  // namespace firn
#endif
