#include "mpm/particle_guard.h"

#include <algorithm>

#include "collision/landing.h"
#include "mpm/block_positions.h"
#include "mpm/guard_filter.h"

namespace firn {
namespace {

bool all_stop(const std::vector<Collider>& colliders, const std::vector<int>& near, int species) {
  return std::all_of(near.begin(), near.end(),
                     [&](int c) { return stops_species(colliders[c], species); });
}

}  // namespace

template <class T, int D>
void ParticleGuard<T, D>::remember(const MpmState<T, D>& state, int block) {
  copy_positions(state, block, before_);
}

template <class T, int D>
double ParticleGuard<T, D>::put_back(MpmState<T, D>& state, int block,
                                     const std::vector<Collider>& colliders,
                                     const ParticleContacts<D>& near, const Strides& strides,
                                     double spacing, double shift,
                                     std::vector<ContactImpulse>& given) const {
  given.assign(near.colliders.size(), {});
  const GuardFilter<D, double> filter(strides.particles, strides.bodies);
  if (!filter.may_meet(near.still.least, near.moving.least)) return 0;
  Vec3d origin{{0, 0, 0}};  // of stored positions, cells
  for (int a = 0; a < D; ++a)
    origin[a] = double(state.blocks.coord(block)[a]) * BlockShape<D>::kEdge + shift;
  double farthest2 = 0;
  const T* before = before_.data();
  for (auto& set : state.sets) {
    const std::uint32_t begin = set.begin[block], count = set.begin[block + 1] - begin;
    const bool stops_all = all_stop(colliders, near.colliders, set.species);
    const std::vector<int> some =
        stops_all ? std::vector<int>{} : those_that_stop(colliders, near.colliders, set.species);
    const std::vector<int>& met = stops_all ? near.colliders : some;
    for (std::uint32_t p = 0; p < count; ++p) {
      Vec<T, D> start, moved;
      for (int a = 0; a < D; ++a) start[a] = before[a * count + p];
      const int cell = clearance_cell(start), still = near.still.of_cell[cell];
      const int moving = near.moving.of_cell[cell];
      if (!filter.may_meet(still, moving)) continue;
      for (int a = 0; a < D; ++a) moved[a] = set.particles.position[a][begin + p] - start[a];
      if (!filter.may_meet(still, moving, start, cell, moved)) continue;
      Vec3d from{{0, 0, 0}}, to{{0, 0, 0}};
      for (int a = 0; a < D; ++a) {
        from[a] = (origin[a] + double(start[a])) * spacing;
        to[a] = (origin[a] + double(set.particles.position[a][begin + p])) * spacing;
      }
      const Vec3d aim = to;
      if (!keep_out(colliders.data(), met.data(), static_cast<int>(met.size()), from, to, spacing))
        continue;
      for (int a = 0; a < D; ++a)
        set.particles.position[a][begin + p] = T(to[a] / spacing - origin[a]);
      land(set.particles, begin + p, to, colliders, met, near.colliders, spacing, given);
      farthest2 = std::max(farthest2, dot(to - aim, to - aim));
    }
    before += std::size_t(count) * D;
  }
  return sqrt_of(farthest2) / spacing;
}

template <class T, int D>
void ParticleGuard<T, D>::land(ParticleSet<T, D>& set, std::uint32_t p, const Vec3d& x,
                               const std::vector<Collider>& colliders, const std::vector<int>& met,
                               const std::vector<int>& near, double spacing,
                               std::vector<ContactImpulse>& given) {
  Vec<T, D> v;
  for (int a = 0; a < D; ++a) v[a] = set.velocity[a][p];
  v = land_on_all<T, D>(
      colliders.data(), met.data(), static_cast<int>(met.size()), x, double(set.mass[0][p]), v,
      spacing, [&](const Collider& c) { return contact_at<T, D>(c, x, distance_to(c, x)); },
      [&](int k, const ContactImpulse& impulse) {
        given[std::find(near.begin(), near.end(), met[k]) - near.begin()].add(impulse);
      });
  for (int a = 0; a < D; ++a) set.velocity[a][p] = v[a];
}

template class ParticleGuard<float, 2>;
template class ParticleGuard<float, 3>;
template class ParticleGuard<double, 2>;
template class ParticleGuard<double, 3>;

}  // namespace firn
