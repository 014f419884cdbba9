#include "mpm_cuda/implicit_material_impl.h"

namespace firn {

template struct ImplicitMaterials<float, 3>;

}  // namespace firn
