#include "sim/solver_maker.h"

#include "sim/mpm_maker.h"
#include "sim/sph_maker.h"

namespace firn {

const SolverMaker& solver_maker(const SceneSettings& scene) {
  static const MpmMaker mpm;
  static const SphMaker sph;
  switch (scene.solver) {
    case SolverKind::sph:
      return sph;
    case SolverKind::mpm:
      break;
  }
  return mpm;
}

}  // namespace firn
