// Everything about a picture that is neither particles, colliders nor camera.
#pragma once

#include "scene/settings.h"

namespace firn {

// A particle's group is a byte.
inline constexpr std::size_t kMostGroups = 256;

struct Look : LookSettings {
  Vec3d light{{0.4, 1.0, 0.5}};  // direction towards the light
  Vec3d background{{0.93, 0.94, 0.96}};
  bool ground_shadow = true;
  // Groups of particles: the materials, then the objects that have a look of their own. What lies
  // beyond the end looks as usual.
  std::vector<ParticleLook> groups;
  std::vector<int> group_of_object;  // -1: that of its material; empty: of all
};

// As the scene's view says. Cheap: a window may call it for every picture.
Look look_of(const SceneSettings& scene);

PointStyle style_of(const Look& look, int group);
// Whether any particles are drawn that way.
bool uses_style(const Look& look, PointStyle style);

}  // namespace firn
