#include "sim/world.h"

#include "scene/object_mesh.h"
#include "sim/integrator_forecast.h"
#include "sim/scene_world.h"

namespace firn {
namespace {

// World of the precision and dimension, begun by start(world).
template <class Start>
Result<std::unique_ptr<World>> make_world(const SceneSettings& scene, Precision precision,
                                          const SolverMaker* given, const Start& start) {
  const SolverMaker& maker = given ? *given : solver_maker(scene);
  std::string why;
  const SceneSettings chosen = with_integrator_chosen(scene, why);
  const auto make = [&]<class T, int D>() -> Result<std::unique_ptr<World>> {
    auto world = std::make_unique<SceneWorld<T, D>>(chosen, maker);
    if (!why.empty()) world->add_note({why, false});
    Errors errors = start(*world);
    if (!errors.empty()) return errors;
    return std::unique_ptr<World>(std::move(world));
  };
  if (precision == Precision::single)
    return scene.dimension == 2 ? make.template operator()<float, 2>()
                                : make.template operator()<float, 3>();
  return scene.dimension == 2 ? make.template operator()<double, 2>()
                              : make.template operator()<double, 3>();
}

}  // namespace

Precision usual_precision(const SceneSettings& scene) {
  return scene.solver == SolverKind::fem ? Precision::double_ : Precision::single;
}

Result<std::unique_ptr<World>> World::create(const SceneSettings& scene, Precision precision,
                                             Device device, const SolverMaker* maker) {
  // Nodes are wanted twice, as particles and by the solver.
  if (scene.solver == SolverKind::fem && !has_meshes(scene)) {
    const Result<SceneSettings> meshed = with_meshes(scene);
    if (!meshed) return meshed.errors();
    return create(*meshed, precision, device, maker);
  }
  Result<std::vector<ObjectParticles>> objects = initial_particles(scene);
  if (!objects) return objects.errors();
  return create_from_particles(scene, std::move(*objects), precision, device, maker);
}

Result<std::unique_ptr<World>> World::create_from_particles(const SceneSettings& scene,
                                                            std::vector<ObjectParticles> objects,
                                                            Precision precision, Device device,
                                                            const SolverMaker* maker) {
  return make_world(scene, precision, maker,
                    [&](auto& world) { return world.start(std::move(objects), device); });
}

Result<std::unique_ptr<World>> World::restore(const SceneSettings& scene, Precision precision,
                                              const StateImage& image, Device device,
                                              const SolverMaker* maker) {
  return make_world(scene, precision, maker,
                    [&](auto& world) { return world.load(image, device); });
}

}  // namespace firn
