#include "mpm_cuda/implicit_material_impl.h"

namespace firn {

template struct ImplicitMaterials<double, 2>;

}  // namespace firn
