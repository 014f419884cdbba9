// The walls that particles are near to, found at the start of each step.
#pragma once

#include "collision/collider_set.h"
#include "sph/flat_particles.h"
#include "sph/wall_map.h"

namespace firn {

template <class T, int D>
class Walls {
 public:
  // Blocks may lie elsewhere than before, or other obstacles near them.
  void blocks_changed() { near_.clear(); }

  // Obstacles are in their places for the step.
  void find(const SphContext<T>& ctx, const Particles<T, D>& all, const FlatParticles<T, D>& flat,
            const ColliderSet& obstacles, const WallMaps& maps, const WallShare& share);

  void show(SphView<T, D>& view) {
    view.walls = ranges_.data();
    view.contacts = contacts_.data();
    view.given = given_.data();
    view.wall_share = share_.data();
  }
  // Colliders that particles of a block may touch.
  const std::vector<int>& near(int block) const { return near_[block]; }
  // Whether a collider says of its surface what cannot be, and where.
  bool is_wrong(Vec3d& place) const;

  std::size_t bytes() const {
    return ranges_.bytes() + contacts_.capacity() * sizeof(contacts_[0]) +
           given_.capacity() * sizeof(given_[0]) + share_.bytes();
  }

 private:
  void find_near(const Particles<T, D>& all, const ColliderSet& obstacles);
  void gather(const FlatParticles<T, D>& flat,
              const std::vector<std::vector<WallContact<T, D>>>& found);

  std::vector<std::vector<int>> near_;  // by block
  Buffer<WallRange> ranges_;
  std::vector<WallContact<T, D>> contacts_;
  std::vector<Vec<T, D>> given_;
  Buffer<T> share_;
  bool wrong_ = false;
  Vec3d wrong_place_{{0, 0, 0}};
};

}  // namespace firn
