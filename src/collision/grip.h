// Grip: friction that a held node has not used. Coulomb's law by the moment (tangential force at
// most mu times the normal force of the same instant) lets an elastic block that rings slide down
// slopes that hold it: the sole slips whenever the normal force is low, and what it could have
// borne while the force was high is lost. Normal and shear vibrations then feed each other (Adams
// 1995; Ranjith and Rice 2001 show that elastic bodies under this law are ill-posed). Friction of
// real contacts follows the normal force with a delay (Prakash and Clifton 1993).
//
// So a node that is held keeps what is left, an impulse: for a short time it may be used up when
// the normal force drops. A node that slides has none: there the law is Coulomb's to the letter.
// The sum of all friction never exceeds mu times the sum of all normal impulses, and slopes steeper
// than atan(mu) are as slippery as before.
#pragma once

#include "base/math.h"

namespace firn {

// s that grip lasts: in which something falls half a cell. Longer than the period of vibrations of
// bodies that are small or stiff enough to bear their own weight, sqrt(strain x height / g), and
// too short for what is held longer than it should be, mu g t^2 / 2, to be seen.
FIRN_INLINE double grip_time(double spacing) {
  return sqrt_of(spacing / 9.81);
}

// What is left of an impulse a step later.
template <class T>
FIRN_INLINE T lasting_grip(T impulse, T dt, T time) {
  const T left = impulse * (time / (time + dt));
  return left > T(1e-30) ? left : T(0);
}

}  // namespace firn
