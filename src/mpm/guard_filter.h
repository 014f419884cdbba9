// Which particles near obstacles may have met one in a step; most have not, and are passed over
// before the exact question is asked (collision/sweep.h). Host and device.
#pragma once

#include "mpm/grid_update.h"

namespace firn {

// S: the scalar of distances, in units of clearance.
template <int D, class S>
struct GuardFilter {
  using Contacts = ParticleContacts<D>;

  S longest;  // from the middle of a cell to what a particle of it can meet
  S bodies;   // how far bodies came since clearances were measured

  // Both in cells: how far a particle went at most in the step, and bodies.
  FIRN_HD GuardFilter(double stride, double body_drift)
      : longest(S((stride + Contacts::kHalfDiagonal + Contacts::kSlack) * Contacts::kUnits)),
        bodies(S(body_drift * Contacts::kUnits)) {}

  // Clearances of the cell from obstacles at rest and from bodies that move.
  FIRN_HD bool may_meet(int still, int moving) const { return is_within(longest, still, moving); }
  // The particle itself, which went from `start`, in cell number `cell`, by `moved`.
  template <class T>
  FIRN_HD bool may_meet(int still, int moving, const Vec<T, D>& start, int cell,
                        const Vec<T, D>& moved) const {
    const T way = from_middle(start, cell) + sqrt_of(dot(moved, moved));
    return is_within((S(way) + S(Contacts::kSlack)) * S(Contacts::kUnits), still, moving);
  }

 private:
  FIRN_HD bool is_within(S way, int still, int moving) const {
    return !(S(still) > way) || !(S(moving) > way + bodies);
  }
};

}  // namespace firn
