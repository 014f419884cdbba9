#include "sph_cuda/solver_impl.h"

namespace firn {

template Result<std::unique_ptr<DeviceSph<float, 2>>> make_device_sph<float, 2>(
    const DeviceSphSetup<float>&);

}  // namespace firn
