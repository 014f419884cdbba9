// In which order mirrors (collision/mirror.h) act.
#pragma once

#include <vector>

#include "collision/mirror.h"

namespace firn {

// A node keeps one bit for each pass that moved it.
constexpr int kMostMirrorPasses = 24;

// The pass of each collider, from 0 on; -1 for those that are no mirrors, and for those of more
// passes than there may be, which stop nodes as other obstacles do. Mirrors of one pass have no
// nodes in common. h: spacing of the grid, m.
std::vector<int> mirror_passes(const std::vector<Collider>& colliders, double h);

}  // namespace firn
