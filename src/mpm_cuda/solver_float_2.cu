#include "mpm_cuda/solver_make.h"

namespace firn {

template Result<std::unique_ptr<DeviceSolver<float, 2>>> make_device_solver<float, 2>(
    const DeviceSetup&);

}  // namespace firn
