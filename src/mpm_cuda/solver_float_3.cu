#include "mpm_cuda/solver_make.h"

namespace firn {

template Result<std::unique_ptr<DeviceSolver<float, 3>>> make_device_solver<float, 3>(
    const DeviceSetup&);

}  // namespace firn
