// A picture of how a scene starts, before anything runs.
#pragma once

#include "particles/point_table.h"
#include "render/survey.h"

namespace firn {

// Corners of what stands around, and the places on planes that are nearest to the rest: the first
// moment shows nothing yet of where the particles will go. What is much larger is left out.
std::vector<Vec3d> landmarks(Bounds core, const RenderScene& around);

// Landmarks of a scene at its start: colliders, and the mouths of emitters.
std::vector<Vec3d> landmarks_at_start(const SceneSettings& scene, const PointTable& start);

// `start`: the particles of the objects. `mouths`: what fills the mouths of the emitters, with the
// same columns; drawn paler. Mouths and sinks are outlined, colliders stand where they start.
Result<std::filesystem::path> render_preview(const PointTable& start, const PointTable& mouths,
                                             const SceneSettings& scene,
                                             const RenderRunOptions& options);

}  // namespace firn
