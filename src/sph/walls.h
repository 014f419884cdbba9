// The walls that particles are near to, found at the start of each step.
#pragma once

#include "collision/collider_set.h"
#include "sph/flat_particles.h"
#include "sph/wall_contact.h"
#include "sph/wall_share.h"

namespace firn {

template <class T, int D>
class Walls {
 public:
  // Blocks may lie elsewhere than before, or other obstacles near them.
  void blocks_changed() { near_.clear(); }

  // Obstacles are in their places for the step.
  void find(const Particles<T, D>& all, const FlatParticles<T, D>& flat,
            const ColliderSet& obstacles, const WallShare& share);

  int count(std::size_t i) const { return static_cast<int>(first_[i + 1] - first_[i]); }
  const WallContact<T, D>* of(std::size_t i) const { return contacts_.data() + first_[i]; }
  // What each of them gave to the velocity of particle i, m/s: for the one who finds it.
  Vec<T, D>* given(std::size_t i) { return given_.data() + first_[i]; }
  const Vec<T, D>* given(std::size_t i) const { return given_.data() + first_[i]; }
  // Share of the kernel of particle i that lies in walls, and its gradient times 2, 1/cells.
  T share(std::size_t i) const;
  Vec<T, D> push(std::size_t i) const;
  // Colliders that particles of a block may touch.
  const std::vector<int>& near(int block) const { return near_[block]; }
  // Whether a collider says of its surface what cannot be, and where.
  bool is_wrong(Vec3d& place) const;

  std::size_t bytes() const {
    return first_.bytes() + contacts_.capacity() * sizeof(contacts_[0]) +
           given_.capacity() * sizeof(given_[0]) + share_.bytes();
  }

 private:
  void find_near(const Particles<T, D>& all, const ColliderSet& obstacles);

  std::vector<std::vector<int>> near_;  // by block
  Buffer<std::uint32_t> first_;
  std::vector<WallContact<T, D>> contacts_;
  std::vector<Vec<T, D>> given_;
  Buffer<T> share_;
  bool wrong_ = false;
  Vec3d wrong_place_{{0, 0, 0}};
};

}  // namespace firn
