// What must be the same in every picture of a run, found from a few of its frames.
#pragma once

#include "render/legend.h"
#include "render/render_run.h"
#include "render/splatter.h"

namespace firn {

struct Survey {
  RenderScene scene;
  bool colliders_move = false;  // then those of the scene are where they start
  Camera camera;
  ColorChoice colors;
  double radius = 0;  // m
  std::optional<Legend> legend;
};

// `samples`: the first, last and some frame between, at least one. `landmarks`: places that an
// automatic camera shows besides.
Result<Survey> survey_run(const std::vector<PointTable>& samples, const SceneSettings& settings,
                          const RenderRunOptions& options,
                          const std::vector<Vec3d>& landmarks = {});

// The scene with all particles in their own colours.
SceneSettings in_own_colors(SceneSettings settings);

// The looks of the colliders that pictures show, in their order. Files are read once for as long as
// any scene keeps them.
std::vector<ColliderPaint> collider_paints(const SceneSettings& settings);

// The box of what the samples show; a unit box when they are empty.
Bounds bounds_of_samples(const std::vector<PointTable>& samples);

}  // namespace firn
