#include "mpm_cuda/operators_impl.h"

namespace firn {

template Result<std::unique_ptr<DeviceOperators<float, 3>>> make_device_operators<float, 3>(
    const MpmSettings&);

}  // namespace firn
