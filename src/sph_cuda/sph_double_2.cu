#include "sph_cuda/solver_impl.h"

namespace firn {

template Result<std::unique_ptr<DeviceSph<double, 2>>> make_device_sph<double, 2>(
    const DeviceSphSetup<double>&);

}  // namespace firn
