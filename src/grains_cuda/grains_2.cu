#include "grains_cuda/grains_impl.h"

namespace firn {

template Result<std::unique_ptr<DeviceGrains<2>>> make_device_grains(
    const GrainCloud<2>&, const DeviceGrainSurroundings&);

}  // namespace firn
