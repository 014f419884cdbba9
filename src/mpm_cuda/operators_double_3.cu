#include "mpm_cuda/operators_impl.h"

namespace firn {

template Result<std::unique_ptr<DeviceOperators<double, 3>>> make_device_operators<double, 3>(
    const MpmSettings&);

}  // namespace firn
