// Particles of a block near obstacles: where they were before the step, and that none of them went
// through one (collision/sweep.h).
#pragma once

#include "mpm/grid_update.h"

namespace firn {

template <class T, int D>
class ParticleGuard {
 public:
  // Before the gather: remembers the positions of the block's particles.
  void remember(const MpmState<T, D>& state, int block);
  // After it: puts those back that entered a collider. `body_drift`: how far bodies have moved
  // since `near` was measured. Returns the farthest that a particle was moved. Both in cells.
  double put_back(MpmState<T, D>& state, int block, const std::vector<Collider>& colliders,
                  const ParticleContacts<D>& near, double body_drift, double spacing,
                  double shift) const;

 private:
  // The longest way of a particle in the step, cells.
  T farthest(const MpmState<T, D>& state, int block) const;

  std::vector<T> before_;  // component by component, set by set
};

}  // namespace firn
