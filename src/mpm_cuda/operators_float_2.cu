#include "mpm_cuda/operators_impl.h"

namespace firn {

template Result<std::unique_ptr<DeviceOperators<float, 2>>> make_device_operators<float, 2>(
    const MpmSettings&);

}  // namespace firn
