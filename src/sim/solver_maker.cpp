#include "sim/solver_maker.h"

#include "sim/fem_maker.h"
#include "sim/mpm_maker.h"
#include "sim/sph_maker.h"

namespace firn {

const SolverMaker& solver_maker(const SceneSettings& scene) {
  static const MpmMaker mpm;
  static const SphMaker sph;
  static const FemMaker fem;
  switch (scene.solver) {
    case SolverKind::sph:
      return sph;
    case SolverKind::fem:
      return fem;
    case SolverKind::mpm:
      break;
  }
  return mpm;
}

}  // namespace firn
