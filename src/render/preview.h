// A picture of how a scene starts, before anything runs.
#pragma once

#include "particles/point_table.h"
#include "render/render_run.h"

namespace firn {

// `start`: the particles of the objects. `mouths`: what fills the mouths of the emitters, with the
// same columns; drawn paler. Mouths and sinks are outlined, colliders stand where they start.
Result<std::filesystem::path> render_preview(const PointTable& start, const PointTable& mouths,
                                             const SceneSettings& scene,
                                             const RenderRunOptions& options);

}  // namespace firn
