// Snow that is packed, torn and thrown: the runs of the snow case.
#pragma once

#include "cases/case_tools.h"

namespace firn {

// Plastic volume ratio of snow that was packed by a pressure (Pa), its sides held: the pressure is
// that of the elastic limit, hardened, on the area that is left,
//   p = tau(1 - theta_c) exp(xi (1 - J_P)) / ((1 - theta_c) J_P).
double packed_volume_ratio(const Snow::Parameters& snow, double pressure);

// A column packs under its own weight, which sets in slowly.
struct PackedColumn {
  double compaction = 0;  // mean of 1 - J_P in the lower half
  double expected = 0;    // the same by packed_volume_ratio
  double hardest = 0;     // largest factor on the moduli
};
Result<PackedColumn> pack_column(const Snow::Parameters& snow, const Snow::Parameters& reference,
                                 double height, double spacing);

// A bar whose halves fly apart; pieces of at least a hundredth of it that are more than a cell away
// from each other.
Result<int> tear_bar(const Snow::Parameters& snow, double spacing);

// A ball thrown at a vertical wall, one second later.
struct ThrownBall {
  double stuck = 0;  // share of its mass that is less than a diameter below where it hit
  double area = 0;   // cells covered by that share, over those it covered in the ball
};
Result<ThrownBall> throw_ball(const Snow::Parameters& snow, ContactKind wall, double spacing);

}  // namespace firn
