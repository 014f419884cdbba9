#include "mpm/particle_guard.h"

#include <algorithm>

#include "collision/landing.h"

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
                                     const ParticleContacts<D>& near, const Strides& strides,
                                     double spacing, double shift,
                                     std::vector<ContactImpulse>& given) const {
  given.assign(near.colliders.size(), {});
  constexpr int kUnits = ParticleContacts<D>::kUnits;
  // From the middle of a cell, so far is everything that particles of it can meet.
  const double way = (strides.particles + ParticleContacts<D>::kHalfDiagonal) * kUnits;
  const double way_to_body = way + strides.bodies * kUnits;
  if (near.still.least > way && near.moving.least > way_to_body) return 0;
  Vec3d origin{{0, 0, 0}};  // of stored positions, cells
  for (int a = 0; a < D; ++a)
    origin[a] = double(state.blocks.coord(block)[a]) * BlockShape<D>::kEdge + shift;
  double farthest2 = 0;
  const T* before = before_.data();
  for (auto& set : state.sets) {
    const std::uint32_t begin = set.begin[block], count = set.begin[block + 1] - begin;
    for (std::uint32_t p = 0; p < count; ++p) {
      Vec<T, D> start, moved;
      for (int a = 0; a < D; ++a) start[a] = before[a * count + p];
      const int cell = clearance_cell(start), still = near.still.of_cell[cell];
      const int moving = near.moving.of_cell[cell];
      if (still > way && moving > way_to_body) continue;
      for (int a = 0; a < D; ++a) moved[a] = set.particles.position[a][begin + p] - start[a];
      const double reach = (double(from_middle(start, cell) + sqrt_of(dot(moved, moved))) +
                            ParticleContacts<D>::kSlack) *
                           kUnits;
      if (still > reach && moving > reach + strides.bodies * kUnits) continue;
      Vec3d from{{0, 0, 0}}, to{{0, 0, 0}};
      for (int a = 0; a < D; ++a) {
        from[a] = (origin[a] + double(start[a])) * spacing;
        to[a] = (origin[a] + double(set.particles.position[a][begin + p])) * spacing;
      }
      const Vec3d aim = to;
      if (!keep_out(colliders.data(), near.colliders.data(),
                    static_cast<int>(near.colliders.size()), from, to, spacing))
        continue;
      for (int a = 0; a < D; ++a)
        set.particles.position[a][begin + p] = T(to[a] / spacing - origin[a]);
      land(set.particles, begin + p, to, colliders, near.colliders, spacing, given);
      farthest2 = std::max(farthest2, dot(to - aim, to - aim));
    }
    before += std::size_t(count) * D;
  }
  return sqrt_of(farthest2) / spacing;
}

template <class T, int D>
void ParticleGuard<T, D>::land(ParticleSet<T, D>& set, std::uint32_t p, const Vec3d& x,
                               const std::vector<Collider>& colliders, const std::vector<int>& near,
                               double spacing, std::vector<ContactImpulse>& given) {
  Vec<T, D> v;
  for (int a = 0; a < D; ++a) v[a] = set.velocity[a][p];
  for (std::size_t k = 0; k < near.size(); ++k) {
    const Collider& c = colliders[near[k]];
    if (!rubs_particles(c)) continue;
    const Contact<T, D> contact = contact_at<T, D>(c, x, distance_to(c, x));
    const Vec<T, D> after = land_with_friction(contact, v, spacing);
    if (after == v) continue;
    Vec3d impulse{{0, 0, 0}};
    for (int a = 0; a < D; ++a) impulse[a] = double(set.mass[0][p]) * double(after[a] - v[a]);
    given[k].add({impulse, cross(x - reference_point(c), impulse)});
    v = after;
  }
  for (int a = 0; a < D; ++a) set.velocity[a][p] = v[a];
}

template class ParticleGuard<float, 2>;
template class ParticleGuard<float, 3>;
template class ParticleGuard<double, 2>;
template class ParticleGuard<double, 3>;

}  // namespace firn
