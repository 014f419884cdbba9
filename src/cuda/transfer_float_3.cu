#include "cuda/transfer_launch_impl.h"

namespace firn {

template struct TransferLaunches<float, 3>;
template TransferView<float> transfer_view<float, 3>(const MpmSettings&);

}  // namespace firn
