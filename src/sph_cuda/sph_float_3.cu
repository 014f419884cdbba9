#include "sph_cuda/solver_impl.h"

namespace firn {

template Result<std::unique_ptr<DeviceSph<float, 3>>> make_device_sph<float, 3>(
    const DeviceSphSetup<float>&);

}  // namespace firn
