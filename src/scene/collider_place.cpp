#include "scene/collider_place.h"

#include <algorithm>
#include <cmath>

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

// Slopes are taken over this share of the time of a frame.
constexpr double kSlopeShare = 1e-4;

bool is_rigid(const ColliderSettings& collider) {
  return collider.deformation.size() < 2;
}

// d/dt at 0 of what has these values at h, 2 h and 3 h, of second order. Motions may jump or turn a
// corner at the moment itself; how they go on is what counts.
template <class V>
V slope_before(const V& first, const V& second, const V& third, double h) {
  return (first * -5.0 + second * 8.0 - third * 3.0) * (0.5 / h);
}

Vec3d finite_or_zero(const Vec3d& v) {
  return std::isfinite(v[0] + v[1] + v[2]) ? v : Vec3d::zero();
}

BodyPose pose_of(const BodyMotion& motion, const Vec3d& center, double time, double h) {
  const Pose now = motion.at(time);
  const Pose next[3] = {motion.at(time + h), motion.at(time + 2 * h), motion.at(time + 3 * h)};
  BodyPose pose;
  pose.position = now.to_world(center);
  pose.rotation = quaternion_of(now.rotation);
  pose.scale = now.scale;
  pose.velocity = finite_or_zero(slope_before(next[0].to_world(center), next[1].to_world(center),
                                              next[2].to_world(center), h));
  const Mat<double, 3> turns =
      slope_before(next[0].rotation, next[1].rotation, next[2].rotation, h);
  const Mat<double, 3> start =
      (next[0].rotation - next[1].rotation) * 3.0 + next[2].rotation;  // as they lead back to it
  const Mat<double, 3> w = turns * transpose(start);
  pose.spin =
      finite_or_zero(Vec3d{{w(2, 1) - w(1, 2), w(0, 2) - w(2, 0), w(1, 0) - w(0, 1)}} * 0.5);
  return pose;
}

Shape shape_in_pose(const ColliderSettings& collider, int dimension, const BodyPose& pose) {
  const Shape shape = placed(collider.shape, dimension);
  const Mat<double, 3> rotation = matrix_of(pose.rotation);
  return transformed(shape, rotation, pose.scale,
                     pose.position - rotation * (shape.center * pose.scale));
}

const BodyPose* pose_named(const std::vector<BodyPose>& poses, const std::string& name) {
  for (const BodyPose& pose : poses)
    if (pose.name == name) return &pose;
  return nullptr;
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

std::vector<BodyPose> collider_poses(const SceneSettings& scene, double time) {
  std::vector<BodyPose> poses;
  for (const ColliderSettings& collider : scene.colliders) {
    if (!collider.motion || !is_rigid(collider)) continue;
    const Vec3d center = placed(collider.shape, static_cast<int>(scene.dimension)).center;
    const auto motion = runtime_motion(*collider.motion, center);
    if (!motion || !motion->at(time).is_place()) continue;
    poses.push_back(pose_of(*motion, center, time, kSlopeShare / scene.fps));
    poses.back().name = collider.name;
  }
  return poses;
}

std::vector<Shape> shown_colliders(const SceneSettings& scene, double time,
                                   const std::vector<BodyPose>& poses) {
  const int dimension = static_cast<int>(scene.dimension);
  std::vector<Shape> shapes;
  for (const ColliderSettings& collider : scene.colliders) {
    if (!collider.visible || collider.contact == ContactKind::pin) continue;
    const BodyPose* pose = is_rigid(collider) ? pose_named(poses, collider.name) : nullptr;
    shapes.push_back(pose ? shape_in_pose(collider, dimension, *pose)
                          : collider_at(collider, dimension, time));
  }
  return shapes;
}

}  // namespace firn
