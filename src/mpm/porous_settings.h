// How species act on each other at the nodes that they share.
#pragma once

#include "base/math.h"

namespace firn {

constexpr int kMostSpecies = 8;

enum class DragForm {
  implicit,   // of any strength, in steps of any length
  explicit_,  // no more than a share of what makes velocities equal
  limit       // equal velocities: as one species
};

// Flat, so that devices take it as it is.
struct PorousSettings {
  DragForm form = DragForm::implicit;
  double share = 1;  // explicit: of the limit, at most
  int species = 1;
  // MULTI's c_E of each pair, 1/(kg s): species a at a node gets c_E m_a m_b (v_b - v_a).
  // Symmetric; 0: they pass through each other.
  double drag[kMostSpecies][kMostSpecies] = {};
};

}  // namespace firn
