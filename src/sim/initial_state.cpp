#include "sim/initial_state.h"

#include "particles/sort.h"
#include "scene/particle_sets.h"
#include "scene/periodic.h"
#include "scene/varied_settings.h"

namespace firn {

template <class T, int D>
Particles<T, D> empty_particles(const SceneSettings& scene, const ParticlePlan& plan) {
  Particles<T, D> all;
  for (const PlannedSet& planned : planned_sets(scene)) {
    SetLayout layout = plan.layouts[all.sets.size()];
    layout.declare(column::user, static_cast<int>(scene.scalars.size()));
    all.sets.push_back({planned.material,
                        planned.species,
                        plain_parameters(scene, planned.material),
                        ParticleSet<T, D>(layout),
                        {},
                        varied_parameters(scene, planned.material)});
  }
  all.user_fields = scene.scalars;
  all.spacing = scene.grid.spacing;
  all.shift = plan.shift;
  all.affine_d = plan.affine_d;
  const auto periods = periods_in_blocks(scene);
  typename BlockTopology<D>::Periods blocks;
  for (int a = 0; a < D; ++a) blocks[a] = {periods[a].first, periods[a].count};
  all.blocks.set_periods(blocks);
  return all;
}

namespace {

// Particle `to` of the set is particle `i` of the object; its position comes with the first sort.
template <class T, int D>
void fill_particle(const ParticlePlan& plan, ParticleSet<T, D>& set, std::size_t to,
                   const ObjectParticles& object, std::size_t i,
                   const std::vector<const ParticleField*>& given,
                   const std::vector<ScalarField>& scalars, int own_dilation,
                   const std::vector<const ParticleField*>& user) {
  const Vec3d v = object.velocity(i);
  for (int a = 0; a < D; ++a) set.velocity[a][to] = T(v[a]);
  // A spinning body starts with the gradient of its velocity field (docs/physics.md, correction 1).
  const Mat<double, 3> rate = object.velocity_gradient(i), gradient = object.gradient(i);
  for (int a = 0; a < D; ++a)
    for (int b = 0; b < D; ++b) {
      const double scale = plan.affine_scale ? plan.affine_scale(object.position[i][b]) : 1;
      if (set[column::affine].components() > 0)
        set[column::affine][a * D + b][to] = T(rate(a, b) * scale);
      if (set[column::gradient].components() > 0)
        set[column::gradient][a * D + b][to] = T(gradient(a, b));
    }
  for (std::size_t k = 0; k < scalars.size() && set[column::scalar].components() > 0; ++k)
    set[column::scalar][static_cast<int>(k)][to] =
        T(given[k] ? given[k]->value[i] : scalars[k].initial);
  for (std::size_t k = 0; k < user.size(); ++k)
    set[column::user][static_cast<int>(k)][to] = user[k] ? T(user[k]->value[i]) : T(0);
  for (const ColumnName* zero : {&column::source, &column::phi, &column::room, &column::swelling})
    if (set[*zero].components() > 0) set[*zero][0][to] = T(0);
  if (set[column::dilation].components() > 0)
    set[column::dilation][0][to] = T(object.dilation);
  else if (own_dilation >= 0 && object.dilation > 0)
    set[column::scalar][own_dilation][to] = T(object.dilation);
  set.mass[0][to] = T(object.mass(i));
  set.volume[0][to] = T(object.initial_volume(i));
  if (set[column::stiffness].components() > 0)
    set[column::stiffness][0][to] = T(object.stiffness_scale(i));
  set.id[0][to] = object.id(i);
  set.color[0][to] = object.color(i);
}

}  // namespace

template <class T, int D>
void append_object(const ParticlePlan& plan, const ObjectParticles& object, Particles<T, D>& all,
                   std::vector<std::vector<Vec3d>>& world) {
  MaterialSet<T, D>& set = all.sets[object.set];
  const std::size_t first = set.particles.size();
  set.particles.resize(first + object.size());
  const int model = static_cast<int>(set.parameters.index());
  const auto scalars = model_scalar_fields(model);
  const int own_dilation = model_dilation_scalar(model);
  const auto field_of = [&](const std::string& name) -> const ParticleField* {
    for (const ParticleField& field : object.scalars)
      if (field.name == name) return &field;
    return nullptr;
  };
  std::vector<const ParticleField*> given, user;
  for (const ScalarField& scalar : scalars) given.push_back(field_of(scalar.name));
  for (const std::string& name : all.user_fields) user.push_back(field_of(name));
  parallel_for("fill particles", static_cast<std::int64_t>(object.size()), 4096,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i)
                   fill_particle(plan, set.particles, first + i, object, i, given, scalars,
                                 own_dilation, user);
               });
  auto& positions = world[object.set];
  positions.insert(positions.end(), object.position.begin(), object.position.end());
}

template <class T, int D>
Result<InitialState<T, D>> build_initial_state(const SceneSettings& scene, const ParticlePlan& plan,
                                               std::vector<ObjectParticles> objects) {
  InitialState<T, D> result{empty_particles<T, D>(scene, plan), {}};
  Particles<T, D>& all = result.particles;
  std::vector<std::vector<Vec3d>> world(all.sets.size());
  for (ObjectParticles& object : objects) {
    all.object_ends.push_back(object.first_id + object.size());
    append_object(plan, object, all, world);
    result.estimate_volume.push_back(object.volume_kind == VolumeKind::estimated);
    object = ObjectParticles();  // its memory is needed for the next
  }
  if (!sort_from_world(all, world))
    return Errors{"/objects: a particle lies too far from the origin for a grid of spacing " +
                  std::to_string(scene.grid.spacing) + " m; move the scene or raise /grid/spacing"};
  return result;
}

#define FIRN_INSTANTIATE(T, D)                                                                     \
  template Particles<T, D> empty_particles<T, D>(const SceneSettings&, const ParticlePlan&);       \
  template void append_object<T, D>(const ParticlePlan&, const ObjectParticles&, Particles<T, D>&, \
                                    std::vector<std::vector<Vec3d>>&);                             \
  template Result<InitialState<T, D>> build_initial_state<T, D>(                                   \
      const SceneSettings&, const ParticlePlan&, std::vector<ObjectParticles>);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
