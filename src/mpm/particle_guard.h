// Particles of a block near obstacles: where they were before the step, and that none of them went
// through one (collision/sweep.h).
#pragma once

#include "mpm/state.h"

namespace firn {

template <class T, int D>
class ParticleGuard {
 public:
  // Before the gather: remembers the positions of the block's particles.
  void remember(const MpmState<T, D>& state, int block);
  // After it: puts those back that entered a collider. Returns the farthest that one was moved,
  // in cells.
  double put_back(MpmState<T, D>& state, int block, const std::vector<Collider>& colliders,
                  const std::vector<int>& near, double spacing, double shift) const;

 private:
  std::vector<T> before_;  // component by component, set by set
};

}  // namespace firn
