// Particles of a block that move with the velocity at their new places (backward_place.h).
#pragma once

#include "mpm/grid_update.h"

namespace firn {

template <class T, int D>
class BackwardPositions {
 public:
  // Before the gather: remembers where the block's particles are.
  void remember(const MpmState<T, D>& state, int block);
  // After it: moves them from there. Nodes without mass take what the particle's surroundings
  // continue to, inside of the obstacles `near` as these allow. Gives the farthest way, in cells.
  double move(const StepContext<T, D>& ctx, KernelKind kernel,
              const std::vector<Collider>& colliders, const std::vector<int>& near,
              MpmState<T, D>& state, int block) const;

 private:
  template <class Kernel>
  double move_with(const StepContext<T, D>& ctx, const std::vector<Collider>& colliders,
                   const std::vector<int>& near, MpmState<T, D>& state, int block) const;

  std::vector<T> before_;  // component by component, set by set
};

}  // namespace firn
