#include "cases/case_tools.h"

#include <cstdio>

namespace firn {
namespace {

ObjectSettings& add_object(SceneSettings& scene, int material, double density) {
  ObjectSettings& object = scene.objects.emplace_back();
  object.material = material;
  object.density = density;
  object.sampling.kind = SamplingKind::grid;
  object.sampling.particles_per_cell = scene.dimension == 2 ? 4 : 8;
  return object;
}

void set_corners(ShapeSettings& shape, const Vec3d& low, const Vec3d& high) {
  shape.kind = ShapeType::box;
  shape.size = high - low;
  shape.center = (low + high) * 0.5;
}

ColliderSettings& add_collider(SceneSettings& scene, ContactKind contact, double friction) {
  ColliderSettings& collider = scene.colliders.emplace_back();
  collider.contact = contact;
  collider.friction.value = friction;
  return collider;
}

}  // namespace

SceneSettings case_scene(std::int64_t dimension, double spacing, double fps) {
  SceneSettings scene;
  scene.dimension = dimension;
  scene.grid.spacing = spacing;
  scene.fps = fps;
  scene.gravity = {{0, 0, 0}};
  return scene;
}

int add_material(SceneSettings& scene, ModelParameters parameters) {
  const int index = static_cast<int>(scene.materials.size());
  MaterialSettings& material = scene.materials.emplace_back();
  material.name = "material_" + std::to_string(index + 1);
  material.parameters = std::move(parameters);
  return index;
}

ObjectSettings& add_box(SceneSettings& scene, int material, double density, const Vec3d& low,
                        const Vec3d& high) {
  ObjectSettings& object = add_object(scene, material, density);
  set_corners(object.shape, low, high);
  return object;
}

ObjectSettings& add_ball(SceneSettings& scene, int material, double density, const Vec3d& center,
                         double radius) {
  ObjectSettings& object = add_object(scene, material, density);
  object.shape.kind = ShapeType::ball;
  object.shape.center = center;
  object.shape.radius = radius;
  return object;
}

ColliderSettings& add_plane(SceneSettings& scene, const Vec3d& point, const Vec3d& normal,
                            ContactKind contact, double friction) {
  ColliderSettings& collider = add_collider(scene, contact, friction);
  collider.shape.kind = ShapeType::plane;
  collider.shape.center = point;
  collider.shape.normal = normal;
  return collider;
}

ColliderSettings& add_container(SceneSettings& scene, const Vec3d& low, const Vec3d& high,
                                ContactKind contact, double friction) {
  ColliderSettings& collider = add_collider(scene, contact, friction);
  set_corners(collider.shape, low, high);
  collider.shape.inside = true;
  return collider;
}

void set_velocities(ObjectParticles& particles,
                    const std::function<VelocityAt(const Vec3d&)>& field) {
  for (const Vec3d& x : particles.position) {
    const VelocityAt at = field(x);
    particles.velocities.push_back(at.velocity);
    particles.velocity_gradients.push_back(at.gradient);
  }
}

Errors run_frames(World& world, std::int64_t frames, const OnFrame& each_frame) {
  const std::atomic<bool> never_stop = false;
  for (std::int64_t frame = 0; frame < frames; ++frame) {
    const Result<FrameOutcome> outcome = world.advance_frame(never_stop);
    if (!outcome) return outcome.errors();
    if (each_frame) each_frame(world);
  }
  return {};
}

Result<std::unique_ptr<World>> run_scene(const SceneSettings& scene, Precision precision,
                                         std::int64_t frames, const OnFrame& each_frame) {
  Result<std::unique_ptr<World>> world = World::create(scene, precision);
  if (!world) return world;
  if (each_frame) each_frame(**world);
  Errors errors = run_frames(**world, frames, each_frame);
  if (!errors.empty()) return errors;
  return world;
}

Check failed_run(const std::string& case_name, const Errors& errors) {
  Check check;
  check.case_name = case_name;
  check.quantity = "run failed: " + (errors.empty() ? std::string() : errors.front());
  check.pass = false;
  check.ran = false;
  return check;
}

}  // namespace firn
