#include "mpm_cuda/gather_launch_impl.h"

namespace firn {

template void launch_gather<float, 3>(const View<float, 3>&, const SetView<float>&,
                                      const ModelParameters&, GatherWay, int, cudaStream_t);

}  // namespace firn
