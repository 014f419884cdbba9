// How explicit viscosity bounds dt; host and device.
#pragma once

#include <limits>

#include "base/macros.h"

namespace firn {

// The largest values that particles of a set have, be it not the same particle.
struct MostViscous {
  double viscosity = 0;  // Pa s
  double ratio = 0;      // J as far as it counts in the viscous stress
};

struct ViscousSet {
  MostViscous most;
  double room = std::numeric_limits<double>::infinity();  // Pa s^2 that a step bears

  FIRN_HD double rate() const { return most.viscosity * most.ratio / room; }  // 1/s
};

// StepRule::viscous of them all.
FIRN_HD inline double viscous_rate(const ViscousSet* sets, int count) {
  double largest = 0;
  for (int s = 0; s < count; ++s) {
    const double rate = sets[s].rate();
    if (rate > largest) largest = rate;
  }
  return largest;
}

}  // namespace firn
