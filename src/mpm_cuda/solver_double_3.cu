#include "mpm_cuda/solver_make.h"

namespace firn {

template Result<std::unique_ptr<DeviceSolver<double, 3>>> make_device_solver<double, 3>(
    const DeviceSetup&);

}  // namespace firn
