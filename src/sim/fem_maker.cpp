#include "sim/fem_maker.h"

#include <algorithm>

#include "fem/cpu_fem.h"
#include "scene/defaults.h"
#include "scene/object_mesh.h"
#include "scene/output_fields.h"
#include "scene/particle_sets.h"

namespace firn {
namespace {

FemSettings fem_settings(const SceneSettings& scene) {
  const IntegratorSettings& steps = scene.integrator;
  FemSettings settings;
  settings.scheme = steps.scheme;
  settings.minimizer = steps.minimizer;
  settings.fixed_dt = steps.fixed_dt;
  settings.max_dt = std::min(steps.max_dt(scene.fps),
                             1 / (scene.fps * static_cast<double>(steps.steps_per_frame)));
  settings.tolerance = steps.tolerance;
  settings.max_newton = static_cast<int>(steps.fem_max_newton);
  settings.friction = scene.fem.friction;
  settings.self_collision = scene.fem.self_collision.has_value();
  if (settings.self_collision) {
    settings.self_stiffness = scene.fem.self_collision->stiffness;
    settings.self_friction = scene.fem.self_collision->friction;
  }
  for (const ColliderSettings& collider : scene.colliders)
    settings.methods.push_back(collider.method);
  return settings;
}

template <int D>
FemBody<D> fem_body(SceneBody<D> of) {
  FemBody<D> body;
  body.name = std::move(of.name);
  body.set = of.set;
  body.first_id = of.first_id;
  body.order = of.order;
  body.density = of.density;
  body.stiffness_damping = of.stiffness_damping;
  body.mass_damping = of.mass_damping;
  body.rest = std::move(of.mesh.nodes);
  body.cells = std::move(of.mesh.cells);
  return body;
}

// Whether something is shown that follows from deformations.
bool shows_cells(const SceneSettings& scene) {
  static const std::vector<std::string> apart = {"velocity", "id",      "material",
                                                 "color",    "species", "mass"};
  std::vector<std::string> shown = fields_to_take(scene.output.fields, scene.output.formats);
  for (const std::string& field : color_fields(scene)) shown.push_back(field);
  return !scene.probes.empty() ||
         std::any_of(shown.begin(), shown.end(), [&](const std::string& field) {
           return std::find(apart.begin(), apart.end(), field) == apart.end();
         });
}

}  // namespace

ParticlePlan FemMaker::plan(const SceneSettings& scene) const {
  const int D = static_cast<int>(scene.dimension);
  ParticlePlan plan;
  plan.layouts.resize(planned_sets(scene).size());
  if (shows_cells(scene))
    for (SetLayout& layout : plan.layouts)
      layout.declare(column::gradient, D * D).declare(column::stress, D * (D + 1) / 2);
  return plan;
}

template <class T, int D>
FemMaker::Made<T, D> FemMaker::make_one(const SceneSettings& scene, const Surroundings& around,
                                        Particles<T, D> particles, Device device) {
  if (device != Device::cpu)
    return Errors{"/solver: \"fem\" runs on the CPU; leave out --device cuda"};
  Result<std::vector<SceneBody<D>>> found = fem_bodies<D>(scene);
  if (!found) return found.errors();
  std::vector<FemBody<D>> bodies;
  for (SceneBody<D>& body : *found) bodies.push_back(fem_body(std::move(body)));
  std::unique_ptr<Solver<T, D>> made = std::make_unique<CpuFem<T, D>>(
      fem_settings(scene), std::move(bodies), around, std::move(particles));
  return made;
}

#define FIRN_INSTANTIATE(T, D)                            \
  template FemMaker::Made<T, D> FemMaker::make_one<T, D>( \
      const SceneSettings&, const Surroundings&, Particles<T, D>, Device);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
