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

bool same_grains(const SceneSettings& a, const SceneSettings& b) {
  return a.grains && b.grains && grain_settings(a) == grain_settings(b) &&
         grain_species(a) == grain_species(b);
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
  state.mass.resize(count);
  state.paint.resize(count);
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const ParticleSet<T, D>& set = sets[s]->particles;
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
              state.mass[to] = static_cast<float>(set.mass[0][p]);
              state.paint[to] =
                  grain_paint(sets[s]->material, static_cast<std::uint32_t>(set.color[0][p]));
            }
        });
  }
  return state;
}

template <class T, int D>
FineGrains<T, D>::FineGrains(const SceneSettings& scene, Device device)
    : settings_(grain_settings(scene)),
      cell_(scene.grid.spacing),
      species_(grain_species(scene)),
      where_(device),
      gravity_(scene.gravity),
      obstacles_(std::make_shared<ColliderSet>(runtime_colliders(scene))),
      traffic_(!scene.emitters.empty() || !scene.sinks.empty() || !scene.transitions.empty()),
      widest_(0) {
  for (const EmitterSettings& emitter : scene.emitters)
    widest_ = std::max(widest_, particle_spacing(scene, emitter.sampling));
}

template <class T, int D>
void FineGrains<T, D>::make_cloud(const typename BlockTopology<D>::Periods& periods) {
  cloud_ = std::make_unique<GrainCloud<D>>(settings_, cell_, widest_, periods, species_);
}

template <class T, int D>
Errors FineGrains<T, D>::make_device() {
  DeviceGrainSurroundings around;
  around.obstacles = obstacles_;
  std::copy(gravity_.component, gravity_.component + 3, around.gravity);
  around.gravity_in_space = gravity_.varies_in_space();
  around.traffic = traffic_;
  auto made = make_device_grains<D>(*cloud_, around);
  if (!made) return made.errors();
  device_ = std::move(*made);
  return device_->upload(*cloud_, before_);
}

template <class T, int D>
Errors FineGrains<T, D>::start(const Particles<T, D>& all, double time) {
  before_ = coarse_state(all, species_, time);
  for (const float spacing : before_.spacing) widest_ = std::max(widest_, double(spacing));
  if (!(widest_ > 0)) widest_ = cell_;  // no particles, and none that may come
  make_cloud(all.blocks.periods());
  obstacles_->set_step(time, 1e-9);
  if (where_ == Device::cpu) return cloud_->start(before_, *obstacles_) ? Errors{} : kTooMany;
  if (!cloud_->add_all(before_, obstacles_->all())) return kTooMany;
  Errors errors = make_device();
  if (errors.empty() && settings_.method == GrainMethod::even && cloud_->size() > 0)
    errors = device_->settle();
  stale_ = true;
  return errors;
}

template <class T, int D>
Errors FineGrains<T, D>::follow(Solver<T, D>& solver, double time, double way,
                                const std::vector<Shape>& sinks, bool must) {
  if (!lost_.empty()) return lost_;
  way_ = way;
  if (!must && way_ < most_way()) return {};
  way_ = 0;
  return device_ ? follow_on_device(solver, time, sinks)
                 : follow_on_host(solver.particles(), time, sinks);
}

template <class T, int D>
Errors FineGrains<T, D>::follow_on_host(const Particles<T, D>& all, double time,
                                        const std::vector<Shape>& sinks) {
  CoarseState<D> now = coarse_state(all, species_, time);
  GrainSurroundings around;
  around.obstacles = obstacles_.get();
  around.gravity = [this](const Vec3d& x, double t) { return gravity_.at(x, t); };
  const bool fits = cloud_->advance(before_, now, around);
  cloud_->remove_inside(sinks);
  before_ = std::move(now);
  fastest_ = cloud_->fastest();
  return fits ? Errors{} : kTooMany;
}

template <class T, int D>
Errors FineGrains<T, D>::follow_on_device(Solver<T, D>& solver, double time,
                                          const std::vector<Shape>& sinks) {
  stale_ = true;
  if (solver.writes_rows()) {
    const auto rows = device_->rows(solver.count());
    if (!rows) return rows.errors();
    if (Errors errors = solver.write_rows(species_, *rows); !errors.empty()) return errors;
  } else {
    const CoarseState<D> now = coarse_state(solver.particles(), species_, time);
    if (Errors errors = device_->write_rows(now); !errors.empty()) return errors;
  }
  auto moved = device_->advance(time);
  if (!moved) return moved.errors();
  fastest_ = moved->fastest;
  Errors errors = add_on_device(solver, moved->fresh);
  expected_.clear();
  return errors.empty() ? device_->remove_inside(sinks) : errors;
}

template <class T, int D>
Errors FineGrains<T, D>::add_on_device(const Solver<T, D>& solver, CoarseState<D>& fresh) {
  if (fresh.size() == 0) return {};
  if (!cloud_->can_number(fresh.size())) return kTooMany;
  find_looks(solver, fresh);
  std::vector<std::uint32_t> every(fresh.size());
  for (std::size_t i = 0; i < every.size(); ++i) every[i] = static_cast<std::uint32_t>(i);
  GrainColumns<D> grains;
  const auto pieces = cloud_->make_grains(fresh, every, obstacles_->all(), grains);
  return device_->add(grains, pieces);
}

template <class T, int D>
void FineGrains<T, D>::find_looks(const Solver<T, D>& solver, CoarseState<D>& fresh) const {
  // Where a run was taken up in between, all particles are asked.
  std::map<std::uint64_t, Look> others;
  for (const std::uint64_t id : fresh.id) {
    auto known = expected_.find(id);
    if (known == expected_.end()) {
      if (others.empty()) {
        const CoarseState<D> all = coarse_state(solver.particles(), species_, 0);
        for (std::size_t i = 0; i < all.size(); ++i)
          others[all.id[i]] = {all.paint[i], all.mass[i]};
      }
      known = others.find(id);
    }
    fresh.paint.push_back(known->second.paint);
    fresh.mass.push_back(known->second.mass);
  }
}

template <class T, int D>
void FineGrains<T, D>::expect(const Particles<T, D>& fresh) {
  if (!device_) return;
  for (const auto& set : fresh.sets)
    for (std::size_t p = 0; p < set.particles.size(); ++p)
      expected_[set.particles.id[0][p]] = {
          grain_paint(set.material, static_cast<std::uint32_t>(set.particles.color[0][p])),
          static_cast<float>(set.particles.mass[0][p])};
}

template <class T, int D>
void FineGrains<T, D>::fetch() const {
  if (!device_ || !stale_) return;
  lost_ = device_->download(*cloud_, before_);
  stale_ = false;
}

template <class T, int D>
PointTable FineGrains<T, D>::table(const std::vector<std::string>& fields) const {
  fetch();
  return cloud_->table(fields);
}

#define FIRN_INSTANTIATE(T, D)                                                     \
  template CoarseState<D> coarse_state<T, D>(const Particles<T, D>&, int, double); \
  template class FineGrains<T, D>;
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
