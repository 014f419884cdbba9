// The periodic directions of a scene in blocks of the grid.
#pragma once

#include <array>
#include <string>

#include "scene/settings.h"

namespace firn {

// Blocks [first, first + count) repeat; no count: the axis is unbounded.
struct PeriodInBlocks {
  int first = 0, count = 0;
};

std::array<PeriodInBlocks, 3> periods_in_blocks(const SceneSettings& scene);

// What is wrong with the period along an axis; "" when nothing is.
std::string period_problem(const SceneSettings& scene, int axis);

// Length of the period along an axis, m; 0: not periodic.
double period_length(const SceneSettings& scene, int axis);

// What to know about a collider that lies across a seam, where it starts; "" when none does.
std::string seam_warning(const SceneSettings& scene, const ColliderSettings& collider);

}  // namespace firn
