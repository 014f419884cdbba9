#include "collision/collider_set.h"

#include <algorithm>
#include <cmath>

namespace firn {
namespace {

// Which two shapes a deforming body is between, and how far.
void set_shapes(Collider& c, const std::vector<ShapeKey>& keys, double time, double dt) {
  std::size_t i = 0;
  while (i + 2 < keys.size() && keys[i + 1].time <= time) ++i;
  c.shape = keys[i].shape;
  c.target = keys[i + 1].shape;
  const double length = keys[i + 1].time - keys[i].time;
  c.share_now = clamp((time - keys[i].time) / length, 0.0, 1.0);
  c.share_next = clamp((time + dt - keys[i].time) / length, 0.0, 1.0);
}

// Box around a bounded body at rest in a pose.
Bounds posed_box(const Bounds& box, const Pose& pose) {
  Bounds r{Vec3d::fill(1e300), Vec3d::fill(-1e300)};
  for (int corner = 0; corner < 8; ++corner) {
    Vec3d q;
    for (int i = 0; i < 3; ++i) q[i] = corner >> i & 1 ? box.high[i] : box.low[i];
    const Vec3d x = pose.to_world(q);
    for (int i = 0; i < 3; ++i) {
      r.low[i] = std::min(r.low[i], x[i]);
      r.high[i] = std::max(r.high[i], x[i]);
    }
  }
  return r;
}

}  // namespace

ColliderSet::ColliderSet(std::vector<Collider> colliders)
    : colliders_(std::move(colliders)), tracks_(colliders_.size()) {
  for (const Collider& c : colliders_) any_varies_ = any_varies_ || c.varies;
}

void ColliderSet::add(Collider collider, std::shared_ptr<const BodyMotion> motion,
                      std::shared_ptr<const std::vector<ShapeKey>> shapes) {
  collider.moves = motion != nullptr;
  collider.deforms = shapes != nullptr;
  any_moves_ = any_moves_ || (motion && !motion->at_rest()) || shapes;
  any_varies_ = any_varies_ || collider.varies;
  colliders_.push_back(std::move(collider));
  tracks_.push_back({std::move(motion), std::move(shapes)});
}

void ColliderSet::set_step(double time, double dt) {
  for (std::size_t i = 0; i < colliders_.size(); ++i) {
    Collider& c = colliders_[i];
    c.time = time + 0.5 * dt;
    c.step = dt;
    if (tracks_[i].motion) {
      c.now = tracks_[i].motion->at(time);
      c.next = tracks_[i].motion->at(time + dt);
    }
    if (tracks_[i].shapes) set_shapes(c, *tracks_[i].shapes, time, dt);
  }
}

int ColliderSet::misplaced() const {
  for (const Collider& c : colliders_)
    if (c.moves && !(c.now.is_place() && c.next.is_place())) return c.owner;
  return -1;
}

// The displacement is an affine function of the place, so that it is largest at a corner.
double ColliderSet::advance_of(const Collider& c, const Bounds& box, double spacing) const {
  Bounds region = box;
  if (is_bounded(c.shape) && !c.deforms) {
    const Bounds at_rest = bounding_box(c.shape);
    const Bounds a = posed_box(at_rest, c.now), b = posed_box(at_rest, c.next);
    for (int i = 0; i < c.shape.dimension; ++i) {
      region.low[i] = std::max(region.low[i], std::min(a.low[i], b.low[i]) - 2 * spacing);
      region.high[i] = std::min(region.high[i], std::max(a.high[i], b.high[i]) + 2 * spacing);
      if (region.low[i] > region.high[i]) return 0;
    }
  }
  double largest = 0;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3d x;
    for (int i = 0; i < 3; ++i) x[i] = corner >> i & 1 ? region.high[i] : region.low[i];
    if (c.shape.dimension == 2) x[2] = 0;
    const Vec3d v = velocity_at(c, x, distance_to(c, x).normal);
    largest = std::max(largest, c.step * sqrt_of(dot(v, v)));
  }
  return largest;
}

ColliderSet::Advance ColliderSet::largest_advance(const Bounds& box, double spacing) const {
  Advance result;
  for (std::size_t i = 0; i < colliders_.size(); ++i) {
    if (!tracks_[i].motion && !tracks_[i].shapes) continue;
    const double distance = advance_of(colliders_[i], box, spacing);
    if (distance <= result.distance) continue;
    result = {distance, colliders_[i].owner};
  }
  return result;
}

}  // namespace firn
