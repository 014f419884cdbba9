#include "sim/obstacles.h"

#include <algorithm>

#include "scene/particle_sets.h"

namespace firn {
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
    const std::vector<std::string> names = species_names(scene);
    if (!settings.species.empty())
      c.species =
          static_cast<int>(std::find(names.begin(), names.end(), settings.species) - names.begin());
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

Obstacles::Obstacles(const SceneSettings& scene)
    : spacing_(scene.grid.spacing), set_(std::make_shared<ColliderSet>(runtime_colliders(scene))) {
  set_->set_step(0, 1);
}

Obstacles::Placed Obstacles::place(const Bounds& box, double time, double dt, double cells) {
  Placed placed;
  const double allowed = cells * spacing_, least = 1e-4 * dt;
  for (;;) {
    set_->set_step(time, dt);
    placed.jumper = set_->misplaced();
    if (placed.jumper >= 0) break;
    placed.dt = dt;
    if (!any_moves()) return placed;
    const ColliderSet::Advance largest = set_->largest_advance(box, spacing_);
    placed.jumper = largest.owner;
    placed.advance = largest.distance / spacing_;
    if (largest.distance <= allowed) return placed;
    dt *= std::max(0.1, 0.95 * allowed / largest.distance);
    if (!(dt > least)) break;
  }
  placed.dt = -1;
  return placed;
}

}  // namespace firn
