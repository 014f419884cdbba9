// Nesterov's momentum for iterations that only reach as far as a neighbour each: the next one looks
// ahead along the last change, farther and farther, and starts anew where that points the wrong way
// (O'Donoghue and Candes 2015). Not the whole change in the end: friction follows pressure, and
// what is carried on for hundreds of iterations swings up.
#pragma once

#include "base/math.h"

namespace firn {

class MomentumSteps {
 public:
  // How far beyond the newest values the next iteration looks, in changes. `against`: the inner
  // product of the last change with what the iteration took back of the look ahead.
  FIRN_INLINE double next(double against) {
    if (against > 0) t_ = 1;
    const double after = (1 + sqrt_of(1 + 4 * t_ * t_)) / 2;
    const double share = (t_ - 1) / after;
    t_ = after;
    return min_of(share, kFarthest);
  }

 private:
  static constexpr double kFarthest = 0.98;
  double t_ = 1;
};

}  // namespace firn
