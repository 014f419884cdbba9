// The obstacles of a world: they move as the scene says, and solvers see them where they are for a
// step.
#pragma once

#include <memory>

#include "collision/collider_set.h"
#include "scene/settings.h"

namespace firn {

ColliderSet runtime_colliders(const SceneSettings& scene);

class Obstacles {
 public:
  explicit Obstacles(const SceneSettings& scene);

  // What a solver sees.
  std::shared_ptr<const ColliderSet> shared() const { return set_; }
  const std::vector<Collider>& all() const { return set_->all(); }
  bool any_moves() const { return set_->any_moves(); }
  // The owner of a body that has no place; -1: none.
  int misplaced() const { return set_->misplaced(); }

  struct Placed {
    double dt = 0;       // s; below 0: a body jumps
    double advance = 0;  // cells that bodies move near particles at most
    int jumper = -1;     // owner of the body that jumps
  };
  // They take their places for a step of at most dt, which is shortened until none moves more than
  // `cells` near particles, which lie in a box.
  Placed place(const Bounds& box, double time, double dt, double cells);

 private:
  double spacing_;
  std::shared_ptr<ColliderSet> set_;
};

}  // namespace firn
