// Everything about a picture that is neither particles, colliders nor camera.
#pragma once

#include "scene/settings.h"

namespace firn {

struct Look : LookSettings {
  Vec3d light{{0.4, 1.0, 0.5}};  // direction towards the light
  Vec3d background{{0.93, 0.94, 0.96}};
  bool ground_shadow = true;
  // By material; what lies beyond the end looks as usual.
  std::vector<MaterialLook> by_material;
};

// As the scene's view says. Cheap: a window may call it for every picture.
Look look_of(const SceneSettings& scene);

// The style of one material.
PointStyle style_of(const Look& look, int material);

}  // namespace firn
