#include "sph_cuda/solver_impl.h"

namespace firn {

template Result<std::unique_ptr<DeviceSph<double, 3>>> make_device_sph<double, 3>(
    const DeviceSphSetup<double>&);

}  // namespace firn
