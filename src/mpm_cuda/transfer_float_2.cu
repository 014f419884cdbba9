#include "mpm_cuda/transfer_launch_impl.h"

namespace firn {

template struct TransferLaunches<float, 2>;
template bool uses_arenas<float, 2>(const MpmSettings&);
template TransferView<float> transfer_view<float, 2>(const MpmSettings&);

}  // namespace firn
