#include "sim/world.h"

#include "sim/build_state.h"
#include "sim/mpm_world.h"

namespace firn {
namespace {

template <class T, int D>
Result<std::unique_ptr<World>> create_mpm(const SceneSettings& scene,
                                          std::vector<ObjectParticles> objects, Device device) {
  Result<InitialState<T, D>> initial = build_state<T, D>(scene, std::move(objects));
  if (!initial) return initial.errors();
  auto world = std::make_unique<MpmWorld<T, D>>(scene, std::move(initial->state));
  Errors errors = world->initialize(initial->estimate_volume);
  if (errors.empty()) errors = world->move_to(device);
  if (!errors.empty()) return errors;
  return std::unique_ptr<World>(std::move(world));
}

template <class T, int D>
Result<std::unique_ptr<World>> restore_mpm(const SceneSettings& scene, const StateImage& image,
                                           Device device) {
  auto world = std::make_unique<MpmWorld<T, D>>(scene, empty_state<T, D>(scene));
  Errors errors = world->load(image);
  if (errors.empty()) errors = world->move_to(device);
  if (!errors.empty()) return errors;
  return std::unique_ptr<World>(std::move(world));
}

}  // namespace

Result<std::unique_ptr<World>> World::create(const SceneSettings& scene, Precision precision,
                                             Device device) {
  Result<std::vector<ObjectParticles>> objects = initial_particles(scene);
  if (!objects) return objects.errors();
  return create_from_particles(scene, std::move(*objects), precision, device);
}

Result<std::unique_ptr<World>> World::create_from_particles(const SceneSettings& scene,
                                                            std::vector<ObjectParticles> objects,
                                                            Precision precision, Device device) {
  if (precision == Precision::single)
    return scene.dimension == 2 ? create_mpm<float, 2>(scene, std::move(objects), device)
                                : create_mpm<float, 3>(scene, std::move(objects), device);
  return scene.dimension == 2 ? create_mpm<double, 2>(scene, std::move(objects), device)
                              : create_mpm<double, 3>(scene, std::move(objects), device);
}

Result<std::unique_ptr<World>> World::restore(const SceneSettings& scene, Precision precision,
                                              const StateImage& image, Device device) {
  if (precision == Precision::single)
    return scene.dimension == 2 ? restore_mpm<float, 2>(scene, image, device)
                                : restore_mpm<float, 3>(scene, image, device);
  return scene.dimension == 2 ? restore_mpm<double, 2>(scene, image, device)
                              : restore_mpm<double, 3>(scene, image, device);
}

}  // namespace firn
