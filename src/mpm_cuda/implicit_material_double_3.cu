#include "mpm_cuda/implicit_material_impl.h"

namespace firn {

template struct ImplicitMaterials<double, 3>;

}  // namespace firn
