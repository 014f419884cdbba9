#include "scene/collider_place.h"

#include <algorithm>

namespace firn {
namespace {

Shape shape_at(const ColliderSettings& collider, int dimension, double time) {
  const auto& keys = collider.deformation;
  if (keys.size() < 2) return placed(collider.shape, dimension);
  std::size_t i = 0;
  while (i + 2 < keys.size() && keys[i + 1].time <= time) ++i;
  const double share = (time - keys[i].time) / (keys[i + 1].time - keys[i].time);
  return make_blend(placed(keys[i].shape, dimension), placed(keys[i + 1].shape, dimension),
                    std::clamp(share, 0.0, 1.0));
}

}  // namespace

Shape collider_at(const ColliderSettings& collider, int dimension, double time) {
  const Shape shape = shape_at(collider, dimension, time);
  if (!collider.motion) return shape;
  const auto motion = runtime_motion(*collider.motion, placed(collider.shape, dimension).center);
  if (!motion) return shape;
  const Pose pose = motion->at(time);
  return transformed(shape, pose.rotation, pose.scale, pose.translation);
}

std::vector<Shape> shown_colliders(const SceneSettings& scene, double time) {
  std::vector<Shape> shapes;
  for (const ColliderSettings& collider : scene.colliders)
    if (collider.visible && collider.contact != ContactKind::pin)
      shapes.push_back(collider_at(collider, static_cast<int>(scene.dimension), time));
  return shapes;
}

}  // namespace firn
