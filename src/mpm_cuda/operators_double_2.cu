#include "mpm_cuda/operators_impl.h"

namespace firn {

template Result<std::unique_ptr<DeviceOperators<double, 2>>> make_device_operators<double, 2>(
    const MpmSettings&);

}  // namespace firn
