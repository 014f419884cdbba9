#include "sim/build_state.h"

#include <algorithm>
#include <cmath>

#include "mpm/kernels.h"
#include "mpm/material_update.h"
#include "mpm/sort.h"
#include "scene/periodic.h"

namespace firn {

MpmSettings mpm_settings(const SceneSettings& scene) {
  return {scene.grid.spacing, scene.kernel, scene.transfer, scene.flip_ratio,
          scene.particle_collisions};
}

namespace {

bool has_fluid(const SceneSettings& scene) {
  return std::any_of(scene.materials.begin(), scene.materials.end(), [](const auto& material) {
    return std::holds_alternative<Fluid::Parameters>(material.parameters);
  });
}

Collider collider_base(const ColliderSettings& settings, int owner) {
  Collider c;
  c.contact = settings.contact;
  c.friction = settings.friction.value;
  c.owner = owner;
  c.surface_velocity = settings.surface_velocity;
  // The scene was checked, so both can be compiled.
  if (const auto friction = compiled(settings.friction)) c.friction_field = *friction;
  if (const auto stickiness = compiled(settings.stickiness)) c.stickiness = *stickiness;
  if (!c.friction_field.has_program) c.friction = c.friction_field.value;
  c.varies = c.friction_field.has_program || c.stickiness.has_program || c.stickiness.value > 0.5;
  return c;
}

std::shared_ptr<const std::vector<ShapeKey>> shape_keys(const ColliderSettings& settings,
                                                        int dimension) {
  if (settings.deformation.size() < 2) return nullptr;
  auto keys = std::make_shared<std::vector<ShapeKey>>();
  for (const ShapeKeyframe& key : settings.deformation)
    keys->push_back({key.time, placed(key.shape, dimension)});
  return keys;
}

}  // namespace

ColliderSet runtime_colliders(const SceneSettings& scene) {
  ColliderSet colliders;
  const int dimension = static_cast<int>(scene.dimension);
  for (std::size_t i = 0; i < scene.colliders.size(); ++i) {
    const ColliderSettings& settings = scene.colliders[i];
    Collider c = collider_base(settings, static_cast<int>(i));
    c.meets_fluid = has_fluid(scene);
    const Shape whole = placed(settings.shape, dimension);
    const auto motion = settings.motion ? runtime_motion(*settings.motion, whole.center) : nullptr;
    const auto keys = shape_keys(settings, dimension);
    for (const Shape& wall : keys ? std::vector<Shape>{(*keys)[0].shape} : walls_of(whole)) {
      c.shape = wall;
      colliders.add(c, motion, keys);
    }
  }
  return colliders;
}

namespace {

// What the sets of poured materials need beside the model's own: a fluid and a solid somewhere to
// keep a dilation, sand, which has one, the source that keeps it in step with the room it takes.
void add_poured_columns(const SceneSettings& scene, std::size_t material, SetLayout& layout) {
  bool poured = false;
  for (const EmitterSettings& emitter : scene.emitters)
    poured = poured || emitter.material == static_cast<int>(material);
  if (!poured) return;
  const auto* sand = std::get_if<Sand::Parameters>(&scene.materials[material].parameters);
  if (sand && sand->volume_correction)
    layout.source = true;
  else
    layout.dilation = true;
}

}  // namespace

template <class T, int D>
std::vector<MaterialSet<T, D>> make_sets(const SceneSettings& scene) {
  std::vector<MaterialSet<T, D>> sets(scene.materials.size());
  for (std::size_t m = 0; m < sets.size(); ++m) {
    sets[m].parameters = scene.materials[m].parameters;
    SetLayout layout = set_layout<D>(sets[m].parameters);
    layout.user = static_cast<int>(scene.scalars.size());
    add_poured_columns(scene, m, layout);
    sets[m].particles = ParticleSet<T, D>(layout);
  }
  return sets;
}

template <class T, int D>
MpmState<T, D> empty_state(const SceneSettings& scene) {
  MpmState<T, D> state;
  state.sets = make_sets<T, D>(scene);
  state.user_fields = scene.scalars;
  const auto periods = periods_in_blocks(scene);
  typename BlockTopology<D>::Periods blocks;
  for (int a = 0; a < D; ++a) blocks[a] = {periods[a].first, periods[a].count};
  state.blocks.set_periods(blocks);
  return state;
}

namespace {

// MLS keeps the velocity gradient C itself. APIC and the linear kernel keep B h^-2 = C D h^-2
// (mpm/transfer_classic.h): D h^-2 along one axis, for a particle at x.
double affine_scale(const SceneSettings& scene, double x) {
  if (scene.transfer != TransferKind::mls && scene.transfer != TransferKind::apic) return 1;
  if (scene.kernel == KernelKind::linear) {
    const double f = x / scene.grid.spacing - std::floor(x / scene.grid.spacing);
    return f * (1 - f);
  }
  if (scene.transfer == TransferKind::mls) return 1;
  return 1 /
         (scene.kernel == KernelKind::cubic ? CubicKernel::kInverseD : QuadraticKernel::kInverseD);
}

// Particle `to` of the set is particle `i` of the object; its position comes with the first sort.
template <class T, int D>
void fill_particle(const SceneSettings& scene, ParticleSet<T, D>& set, std::size_t to,
                   const ObjectParticles& object, std::size_t i,
                   const std::vector<const ParticleField*>& given,
                   const std::vector<ScalarField>& scalars, int own_dilation,
                   const std::vector<const ParticleField*>& user) {
  const Vec3d v = object.velocity(i);
  for (int a = 0; a < D; ++a) set.velocity[a][to] = T(v[a]);
  // A spinning body starts with the gradient of its velocity field (correction 1: zero otherwise).
  const Mat<double, 3> rate = object.velocity_gradient(i), gradient = object.gradient(i);
  for (int a = 0; a < D; ++a)
    for (int b = 0; b < D; ++b) {
      set.affine[a * D + b][to] = T(rate(a, b) * affine_scale(scene, object.position[i][b]));
      if (set.gradient.components() > 0) set.gradient[a * D + b][to] = T(gradient(a, b));
    }
  for (std::size_t k = 0; k < scalars.size(); ++k)
    set.scalar[static_cast<int>(k)][to] = T(given[k] ? given[k]->value[i] : scalars[k].initial);
  for (std::size_t k = 0; k < user.size(); ++k)
    set.user[static_cast<int>(k)][to] = user[k] ? T(user[k]->value[i]) : T(0);
  if (set.source.components() > 0) set.source[0][to] = T(0);
  if (set.dilation.components() > 0)
    set.dilation[0][to] = T(object.dilation);
  else if (own_dilation >= 0 && object.dilation > 0)
    set.scalar[own_dilation][to] = T(object.dilation);
  set.mass[0][to] = T(object.mass(i));
  set.volume[0][to] = T(object.initial_volume(i));
  set.stiffness[0][to] = T(object.stiffness_scale(i));
  set.id[0][to] = object.id(i);
  set.color[0][to] = object.color(i);
}

}  // namespace

template <class T, int D>
void append_object(const SceneSettings& scene, MaterialSet<T, D>& set, std::vector<Vec3d>& world,
                   const ObjectParticles& object) {
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
  for (const std::string& name : scene.scalars) user.push_back(field_of(name));
  parallel_for("fill particles", static_cast<std::int64_t>(object.size()), 4096,
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i)
                   fill_particle(scene, set.particles, first + i, object, i, given, scalars,
                                 own_dilation, user);
               });
  world.insert(world.end(), object.position.begin(), object.position.end());
}

template <class T, int D>
Result<InitialState<T, D>> build_state(const SceneSettings& scene,
                                       std::vector<ObjectParticles> objects) {
  InitialState<T, D> result;
  result.state = empty_state<T, D>(scene);
  std::vector<std::vector<Vec3d>> world(scene.materials.size());
  for (ObjectParticles& object : objects) {
    result.state.object_ends.push_back(object.first_id + object.size());
    append_object(scene, result.state.sets[object.material], world[object.material], object);
    result.estimate_volume.push_back(object.volume_kind == VolumeKind::estimated);
    object = ObjectParticles();  // its memory is needed for the next
  }
  if (!sort_from_world(result.state, world, scene.grid.spacing, kernel_shift(scene.kernel)))
    return Errors{"/objects: a particle lies too far from the origin for a grid of spacing " +
                  std::to_string(scene.grid.spacing) + " m; move the scene or raise /grid/spacing"};
  return result;
}

#define FIRN_INSTANTIATE(T, D)                                                                     \
  template void append_object<T, D>(const SceneSettings&, MaterialSet<T, D>&, std::vector<Vec3d>&, \
                                    const ObjectParticles&);                                       \
  template std::vector<MaterialSet<T, D>> make_sets<T, D>(const SceneSettings&);                   \
  template MpmState<T, D> empty_state<T, D>(const SceneSettings&);                                 \
  template Result<InitialState<T, D>> build_state<T, D>(const SceneSettings&,                      \
                                                        std::vector<ObjectParticles>);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
