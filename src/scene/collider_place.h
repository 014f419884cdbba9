// Colliders in their places at a moment.
#pragma once

#include <vector>

#include "particles/frame.h"
#include "scene/settings.h"

namespace firn {

Shape collider_at(const ColliderSettings& collider, int dimension, double time);

// Where the colliders are that move as a whole, and how fast they go on from there. Those that
// deform are not among them.
std::vector<BodyPose> collider_poses(const SceneSettings& scene, double time);

// Those that pictures show. Rigid ones of which there is a pose are there; the others are where
// their own motion has them.
std::vector<Shape> shown_colliders(const SceneSettings& scene, double time,
                                   const std::vector<BodyPose>& poses = {});

}  // namespace firn
