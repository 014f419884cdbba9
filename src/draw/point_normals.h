// Normals of the surface that particles form together.
#pragma once

#include <vector>

#include "draw/frame_data.h"

namespace firn {

// Away from the mean place of what lies within some radii; unknown (zero) deep inside a body, where
// no direction is emptier than others. `reach` in m.
void estimate_normals(std::vector<DrawnPoint>& points, float reach);

}  // namespace firn
