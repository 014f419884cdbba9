#include "mpm_cuda/implicit_transfer_impl.h"

namespace firn {

template struct ImplicitTransfer<double, 2>;

}  // namespace firn
