#include "mpm_cuda/gather_launch_impl.h"

namespace firn {

template void launch_gather<float, 2>(const View<float, 2>&, const SetView<float>&,
                                      const ModelParameters&, GatherWay, int, cudaStream_t);

}  // namespace firn
