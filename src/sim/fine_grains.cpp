#include "sim/fine_grains.h"

#include <algorithm>
#include <cmath>

#include "scene/check_grains.h"
#include "scene/defaults.h"
#include "sim/obstacles.h"
#include "sim/ranks.h"

namespace firn {
namespace {

const Errors kTooMany{
    "/grains/per_particle: there are more grains than can be numbered (4,294,967,295); choose "
    "fewer"};

}  // namespace

GrainSettings grain_settings(const SceneSettings& scene) {
  GrainSettings settings;
  settings.method = scene.grains->method;
  settings.per_particle = static_cast<int>(scene.grains->per_particle);
  settings.support = scene.grains->support;
  settings.terminal_speed = scene.grains->terminal_speed;
  settings.seed = scene.grains->seed.value_or(scene.seed);
  return settings;
}

template <class T, int D>
CoarseState<D> coarse_state(const Particles<T, D>& all, int species, double time) {
  std::vector<const MaterialSet<T, D>*> sets;
  std::vector<IdList> lists;
  std::size_t count = 0;
  for (const auto& set : all.sets)
    if (set.species == species) {
      sets.push_back(&set);
      lists.push_back({set.particles.id[0], set.particles.size()});
      count += set.particles.size();
    }
  const auto ranks = ranks_by_id(lists);
  CoarseState<D> state;
  state.time = time;
  state.id.resize(count);
  state.position.resize(count);
  state.velocity.resize(count);
  state.spacing.resize(count);
  state.paint.resize(count);
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const ParticleSet<T, D>& set = sets[s]->particles;
    const auto material = static_cast<std::uint32_t>(std::min(sets[s]->material, 255));
    parallel_for(
        "coarse state", all.blocks.occupied(), 16, [&](std::int64_t begin, std::int64_t end) {
          for (int b = static_cast<int>(begin); b < static_cast<int>(end); ++b)
            for (std::uint32_t p = sets[s]->begin[b]; p < sets[s]->begin[b + 1]; ++p) {
              const std::uint32_t to = ranks[s][p];
              const Vec3d x = world_position(all, set, b, p);
              for (int a = 0; a < D; ++a) {
                state.position[to][a] = x[a];
                state.velocity[to][a] = static_cast<float>(set.velocity[a][p]);
              }
              state.id[to] = set.id[0][p];
              state.spacing[to] = static_cast<float>(std::pow(double(set.volume[0][p]), 1.0 / D));
              state.paint[to] = material << 24 | (set.color[0][p] & 0xffffffu);
            }
        });
  }
  return state;
}

template <class T, int D>
FineGrains<T, D>::FineGrains(const SceneSettings& scene)
    : settings_(grain_settings(scene)),
      cell_(scene.grid.spacing),
      species_(grain_species(scene)),
      gravity_(scene.gravity),
      obstacles_(runtime_colliders(scene)),
      widest_(0) {
  for (const EmitterSettings& emitter : scene.emitters)
    widest_ = std::max(widest_, particle_spacing(scene, emitter.sampling));
}

template <class T, int D>
void FineGrains<T, D>::make_cloud(const typename BlockTopology<D>::Periods& periods) {
  cloud_ = std::make_unique<GrainCloud<D>>(settings_, cell_, widest_, periods, species_);
}

template <class T, int D>
Errors FineGrains<T, D>::start(const Particles<T, D>& all, double time) {
  before_ = coarse_state(all, species_, time);
  for (const float spacing : before_.spacing) widest_ = std::max(widest_, double(spacing));
  if (!(widest_ > 0)) widest_ = cell_;  // no particles, and none that may come
  make_cloud(all.blocks.periods());
  obstacles_.set_step(time, 1e-9);
  return cloud_->start(before_, obstacles_) ? Errors{} : kTooMany;
}

template <class T, int D>
Errors FineGrains<T, D>::follow(const Particles<T, D>& all, double time, double dt, double fastest,
                                const std::vector<Shape>& sinks, bool must) {
  way_ += dt * std::max(fastest, cloud_->fastest());
  if (!must && way_ < kLongestWay * widest_) return {};
  CoarseState<D> now = coarse_state(all, species_, time);
  GrainSurroundings around;
  around.obstacles = &obstacles_;
  around.gravity = [this](const Vec3d& x, double t) { return gravity_.at(x, t); };
  const bool fits = cloud_->advance(before_, now, around);
  cloud_->remove_inside(sinks);
  before_ = std::move(now);
  way_ = 0;
  return fits ? Errors{} : kTooMany;
}

#define FIRN_INSTANTIATE(T, D)                                                     \
  template CoarseState<D> coarse_state<T, D>(const Particles<T, D>&, int, double); \
  template class FineGrains<T, D>;
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
