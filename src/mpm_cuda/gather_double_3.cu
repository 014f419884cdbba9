#include "mpm_cuda/gather_launch_impl.h"

namespace firn {

template void launch_gather<double, 3>(const View<double, 3>&, const SetView<double>&,
                                       const ModelParameters&, GatherWay, int, cudaStream_t);

}  // namespace firn
