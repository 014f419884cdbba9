#include "mpm_cuda/transfer_launch_impl.h"

namespace firn {

template struct TransferLaunches<float, 3>;
template bool uses_arenas<float, 3>(const MpmSettings&);
template TransferView<float> transfer_view<float, 3>(const MpmSettings&);

}  // namespace firn
