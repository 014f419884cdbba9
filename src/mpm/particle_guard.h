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
  // How far, in cells, a particle of the block went at most in the step, and bodies since the
  // contacts were measured.
  struct Strides {
    double particles, bodies;
  };
  // After it: puts those back that entered a collider. Returns the farthest that a particle was
  // moved, in cells.
  double put_back(MpmState<T, D>& state, int block, const std::vector<Collider>& colliders,
                  const ParticleContacts<D>& near, const Strides& strides, double spacing,
                  double shift) const;

 private:
  std::vector<T> before_;  // component by component, set by set
};

}  // namespace firn
