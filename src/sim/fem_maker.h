// Meshed solids from a scene.
#pragma once

#include "sim/solver_maker.h"

namespace firn {

class FemMaker final : public SolverMakerOf<FemMaker> {
 public:
  ParticlePlan plan(const SceneSettings& scene) const override;
  template <class T, int D>
  static Made<T, D> make_one(const SceneSettings& scene, const Surroundings& around,
                             Particles<T, D> particles, Device device);
};

}  // namespace firn
