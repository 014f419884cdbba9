#include "mpm_cuda/transfer_launch_impl.h"

namespace firn {

template struct TransferLaunches<double, 2>;
template bool uses_arenas<double, 2>(const MpmSettings&);
template TransferView<double> transfer_view<double, 2>(const MpmSettings&);

}  // namespace firn
