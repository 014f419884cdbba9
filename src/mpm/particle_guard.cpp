#include "mpm/particle_guard.h"

#include <algorithm>

#include "collision/sweep.h"

namespace firn {

template <class T, int D>
void ParticleGuard<T, D>::remember(const MpmState<T, D>& state, int block) {
  before_.clear();
  for (const auto& set : state.sets)
    for (int a = 0; a < D; ++a) {
      const T* column = set.particles.position[a];
      before_.insert(before_.end(), column + set.begin[block], column + set.begin[block + 1]);
    }
}

template <class T, int D>
double ParticleGuard<T, D>::put_back(MpmState<T, D>& state, int block,
                                     const std::vector<Collider>& colliders,
                                     const std::vector<int>& near, double spacing,
                                     double shift) const {
  Vec3d origin{{0, 0, 0}};  // of stored positions, cells
  for (int a = 0; a < D; ++a)
    origin[a] = double(state.blocks.coord(block)[a]) * BlockShape<D>::kEdge + shift;
  double farthest2 = 0;
  std::size_t first = 0;
  for (auto& set : state.sets) {
    const std::uint32_t begin = set.begin[block], count = set.begin[block + 1] - begin;
    for (std::uint32_t p = 0; p < count; ++p) {
      Vec3d from{{0, 0, 0}}, to{{0, 0, 0}};
      for (int a = 0; a < D; ++a) {
        from[a] = (origin[a] + double(before_[first + a * count + p])) * spacing;
        to[a] = (origin[a] + double(set.particles.position[a][begin + p])) * spacing;
      }
      const Vec3d aim = to;
      if (!keep_out(colliders.data(), near.data(), static_cast<int>(near.size()), from, to,
                    spacing))
        continue;
      for (int a = 0; a < D; ++a)
        set.particles.position[a][begin + p] = T(to[a] / spacing - origin[a]);
      farthest2 = std::max(farthest2, dot(to - aim, to - aim));
    }
    first += std::size_t(count) * D;
  }
  return sqrt_of(farthest2) / spacing;
}

template class ParticleGuard<float, 2>;
template class ParticleGuard<float, 3>;
template class ParticleGuard<double, 2>;
template class ParticleGuard<double, 3>;

}  // namespace firn
