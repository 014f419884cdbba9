// All obstacles of a scene and how they move.
#pragma once

#include <memory>
#include <vector>

#include "collision/collider.h"
#include "collision/motion.h"

namespace firn {

// A body that takes on one shape after another.
struct ShapeKey {
  double time = 0;  // s
  Shape shape;
};

class ColliderSet {
 public:
  ColliderSet() = default;
  // Bodies at rest.
  ColliderSet(std::vector<Collider> colliders);

  // `motion` and `shapes` may be empty; colliders of one body share them.
  void add(Collider collider, std::shared_ptr<const BodyMotion> motion,
           std::shared_ptr<const std::vector<ShapeKey>> shapes);

  const std::vector<Collider>& all() const { return colliders_; }
  std::size_t size() const { return colliders_.size(); }
  bool any_moves() const { return any_moves_; }
  // Whether the surface of any says something else from place to place or time to time.
  bool any_varies() const { return any_varies_; }

  // Poses at the start and the end of a step.
  void set_step(double time, double dt);
  // The owner of a body that these put nowhere, since they are not finite or without size; -1:
  // none.
  int misplaced() const;

  // How far a point of a moving body within the box can get in the step at most, m; `spacing` is
  // added around bodies. Also says whose point it is, as an owner.
  struct Advance {
    double distance = 0;
    int owner = -1;
  };
  Advance largest_advance(const Bounds& box, double spacing) const;

 private:
  struct Track {
    std::shared_ptr<const BodyMotion> motion;
    std::shared_ptr<const std::vector<ShapeKey>> shapes;
  };
  double advance_of(const Collider& collider, const Bounds& box, double spacing) const;

  std::vector<Collider> colliders_;
  std::vector<Track> tracks_;
  bool any_moves_ = false, any_varies_ = false;
};

// Centre of the torque of a collider, in the world at the start of the step.
FIRN_HD inline Vec3d reference_point(const Collider& c) {
  return c.moves ? c.now.to_world(c.shape.center) : c.shape.center;
}

}  // namespace firn
