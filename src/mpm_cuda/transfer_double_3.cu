#include "mpm_cuda/transfer_launch_impl.h"

namespace firn {

template struct TransferLaunches<double, 3>;
template bool uses_arenas<double, 3>(const MpmSettings&);
template TransferView<double> transfer_view<double, 3>(const MpmSettings&);

}  // namespace firn
