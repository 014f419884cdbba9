#include "mpm_cuda/solver_make.h"

namespace firn {

template Result<std::unique_ptr<DeviceSolver<double, 2>>> make_device_solver<double, 2>(
    const DeviceSetup&);

}  // namespace firn
