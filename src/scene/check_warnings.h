// What a scene may well say and hardly means: warnings.
#pragma once

#include "geometry/shape.h"
#include "scene/check_tools.h"

namespace firn {

// Objects that fill the same space; `shapes` are all copies of each.
void warn_of_overlaps(const SceneSettings& scene, const std::vector<std::vector<Shape>>& shapes,
                      Issues& issues);

// Fewer particles than cells.
void warn_of_sparse_sampling(const SceneSettings& scene, Issues& issues);

// A longest step below the fixed one, unless it is the default.
void warn_of_time_steps(const IntegratorSettings& keys, Issues& issues);

// Cameras that look nowhere.
void warn_of_cameras(const SceneSettings& scene, Issues& issues);

}  // namespace firn
