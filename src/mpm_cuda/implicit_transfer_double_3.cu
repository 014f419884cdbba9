#include "mpm_cuda/implicit_transfer_impl.h"

namespace firn {

template struct ImplicitTransfer<double, 3>;

}  // namespace firn
