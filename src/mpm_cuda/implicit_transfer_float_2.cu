#include "mpm_cuda/implicit_transfer_impl.h"

namespace firn {

template struct ImplicitTransfer<float, 2>;

}  // namespace firn
