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
  // After it: puts those back that entered a collider; given[k] becomes what number k of `near`
  // gave them by friction (collision/landing.h). Returns the farthest that a particle was moved, in
  // cells.
  double put_back(MpmState<T, D>& state, int block, const std::vector<Collider>& colliders,
                  const ParticleContacts<D>& near, const Strides& strides, double spacing,
                  double shift, std::vector<ContactImpulse>& given) const;

 private:
  // The particle p of a set, which those `met` of the near ones stop, was put back to x.
  static void land(ParticleSet<T, D>& set, std::uint32_t p, const Vec3d& x,
                   const std::vector<Collider>& colliders, const std::vector<int>& met,
                   const std::vector<int>& near, double spacing,
                   std::vector<ContactImpulse>& given);

  std::vector<T> before_;  // component by component, set by set
};

}  // namespace firn
