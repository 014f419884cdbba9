#include "solver/source_tools.h"

#include <algorithm>

#include "exec/parallel.h"
#include "particles/sort.h"
#include "solver/source_rules.h"

namespace firn {
namespace {

// Flags of the particles inside open sinks, by set; empty where none goes. False: none goes at all.
// Blocks that a sink does not touch are passed over.
template <class T, int D>
bool mark_sunk(const Particles<T, D>& all, const std::vector<Shape>& sinks,
               const std::vector<bool>& open, std::vector<std::vector<char>>& flags,
               RemovedParticles& removed) {
  bool any = false;
  for (std::size_t i = 0; i < sinks.size(); ++i) {
    if (!open[i]) continue;
    for (int slot = 0; slot < all.blocks.occupied(); ++slot) {
      Vec3d origin{{0, 0, 0}};
      for (int a = 0; a < D; ++a)
        origin[a] = double(all.blocks.coord(slot)[a]) * BlockShape<D>::kEdge + all.shift;
      if (!may_sink<D>(sinks[i], origin, all.spacing, all.drift)) continue;
      for (std::size_t s = 0; s < all.sets.size(); ++s) {
        const auto& set = all.sets[s];
        for (std::uint32_t p = set.begin[slot]; p < set.begin[slot + 1]; ++p) {
          const Vec3d x = world_position(all, set.particles, slot, p);
          if (!is_sunk(sinks[i], x)) continue;
          if (flags[s].empty()) flags[s].assign(set.particles.size(), 0);
          if (flags[s][p]) continue;
          flags[s][p] = 1;
          ++removed.count;
          removed.mass += double(set.particles.mass[0][p]);
          any = true;
        }
      }
    }
  }
  return any;
}

}  // namespace

template <class T, int D>
double volume_around(const Particles<T, D>& all, const Vec3d& x, double radius) {
  std::uint64_t key = 0;
  Vec<T, D> place;
  if (!place_in_block<T, D>(all, x, key, place)) return 0;
  const std::int32_t home = all.blocks.find(key);
  if (home < 0) return 0;
  double taken = 0;
  const auto& neighbors = all.blocks.neighbors(home);
  for (auto at = neighbors.begin(); at != neighbors.end(); ++at) {
    const std::int32_t slot = *at;
    if (slot < 0 || slot >= all.blocks.occupied()) continue;
    if (std::find(neighbors.begin(), at, slot) != at) continue;  // both sides of a short period
    for (const auto& set : all.sets)
      for (std::uint32_t p = set.begin[slot]; p < set.begin[slot + 1]; ++p) {
        const Vec3d at = world_position(all, set.particles, slot, p);
        if (is_around<D>(all.blocks.periods().data(), all.spacing, at, x, radius))
          taken += double(set.particles.volume[0][p]);
      }
  }
  return taken;
}

template <class T, int D>
bool any_sunk(const Particles<T, D>& all, const std::vector<Shape>& sinks,
              const std::vector<bool>& open) {
  std::vector<std::vector<char>> flags(all.sets.size());
  RemovedParticles uncounted;
  return mark_sunk(all, sinks, open, flags, uncounted);
}

template <class T, int D>
ParticleChanges<T, D> begin_exchange(Particles<T, D>& all, const std::vector<Shape>& sinks,
                                     ParticleTraffic<T, D>& traffic, RemovedParticles& removed) {
  if (all.drift > 0) sort_after_drift(all);
  ParticleChanges<T, D> changes;
  changes.world = traffic.world;
  changes.removed.resize(all.sets.size());
  mark_sunk(all, sinks, traffic.open_sinks, changes.removed, removed);
  for (std::size_t s = 0; s < all.sets.size(); ++s) {
    changes.first_new.push_back(all.sets[s].particles.size());
    all.sets[s].particles.append(traffic.fresh.sets[s].particles);
  }
  return changes;
}

template <class T, int D>
Errors finish_exchange(Particles<T, D>& all, const ParticleChanges<T, D>& changes) {
  bool any = false;
  for (std::size_t s = 0; s < all.sets.size(); ++s)
    any = any || !changes.removed[s].empty() || all.sets[s].particles.size() > changes.first_new[s];
  return any && !add_and_remove(all, changes) ? Errors{kTooFar} : Errors{};
}

template <class T, int D>
void apply_kicks(Particles<T, D>& all, const std::vector<Vec3d>& kicks) {
  for (auto& set : all.sets)
    for (std::size_t p = 0; p < set.particles.size(); ++p) {
      const std::uint64_t id = set.particles.id[0][p];
      if (id >= kicks.size()) continue;  // it came later
      for (int k = 0; k < D; ++k) set.particles.velocity[k][p] += T(kicks[id][k]);
    }
}

template <class T, int D>
void apply_force(Particles<T, D>& all, const InteractiveForce& force, double dt, double limit) {
  for (auto& set : all.sets)
    parallel_for("force", all.blocks.occupied(), 16, [&](std::int64_t begin, std::int64_t end) {
      for (int b = static_cast<int>(begin); b < static_cast<int>(end); ++b)
        for (std::uint32_t p = set.begin[b]; p < set.begin[b + 1]; ++p) {
          Vec3d v = Vec3d::zero();
          for (int k = 0; k < D; ++k) v[k] = double(set.particles.velocity[k][p]);
          const Vec3d moved = force.moved(world_position(all, set.particles, b, p), v, dt, limit);
          for (int k = 0; k < D; ++k) set.particles.velocity[k][p] = T(moved[k]);
        }
    });
}

#define FIRN_INSTANTIATE(T, D)                                                                     \
  template double volume_around<T, D>(const Particles<T, D>&, const Vec3d&, double);               \
  template bool any_sunk<T, D>(const Particles<T, D>&, const std::vector<Shape>&,                  \
                               const std::vector<bool>&);                                          \
  template ParticleChanges<T, D> begin_exchange<T, D>(Particles<T, D>&, const std::vector<Shape>&, \
                                                      ParticleTraffic<T, D>&, RemovedParticles&);  \
  template Errors finish_exchange<T, D>(Particles<T, D>&, const ParticleChanges<T, D>&);           \
  template void apply_kicks<T, D>(Particles<T, D>&, const std::vector<Vec3d>&);                    \
  template void apply_force<T, D>(Particles<T, D>&, const InteractiveForce&, double, double);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
