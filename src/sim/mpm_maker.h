// Explicit MPM as a scene describes it: the only file of this room that knows the method.
#pragma once

#include "mpm/state.h"
#include "sim/solver_maker.h"

namespace firn {

MpmSettings mpm_settings(const SceneSettings& scene);

class MpmMaker final : public SolverMakerOf<MpmMaker> {
 public:
  ParticlePlan plan(const SceneSettings& scene) const override;
  template <class T, int D>
  static Made<T, D> make_one(const SceneSettings& scene, const Surroundings& around,
                             Particles<T, D> particles, Device device);
};

}  // namespace firn
