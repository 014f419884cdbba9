#include "grains_cuda/grains_impl.h"

namespace firn {

template Result<std::unique_ptr<DeviceGrains<3>>> make_device_grains(
    const GrainCloud<3>&, const DeviceGrainSurroundings&);

}  // namespace firn
