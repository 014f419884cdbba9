#include "sim/world.h"

#include "sim/build_state.h"
#include "sim/mpm_world.h"

namespace firn {
namespace {

template <class T, int D>
Result<std::unique_ptr<World>> create_mpm(const SceneSettings& scene,
                                          std::vector<ObjectParticles> objects) {
  Result<InitialState<T, D>> initial = build_state<T, D>(scene, std::move(objects));
  if (!initial) return initial.errors();
  auto world = std::make_unique<MpmWorld<T, D>>(scene, std::move(initial->state));
  Errors errors = world->initialize(initial->estimate_volume);
  if (!errors.empty()) return errors;
  return std::unique_ptr<World>(std::move(world));
}

template <class T, int D>
Result<std::unique_ptr<World>> restore_mpm(const SceneSettings& scene, const StateImage& image) {
  auto world = std::make_unique<MpmWorld<T, D>>(scene, empty_state<T, D>(scene));
  Errors errors = world->load(image);
  if (!errors.empty()) return errors;
  return std::unique_ptr<World>(std::move(world));
}

}  // namespace

Result<std::unique_ptr<World>> World::create(const SceneSettings& scene, Precision precision) {
  Result<std::vector<ObjectParticles>> objects = initial_particles(scene);
  if (!objects) return objects.errors();
  return create_from_particles(scene, std::move(*objects), precision);
}

Result<std::unique_ptr<World>> World::create_from_particles(const SceneSettings& scene,
                                                            std::vector<ObjectParticles> objects,
                                                            Precision precision) {
  if (precision == Precision::single)
    return scene.dimension == 2 ? create_mpm<float, 2>(scene, std::move(objects))
                                : create_mpm<float, 3>(scene, std::move(objects));
  return scene.dimension == 2 ? create_mpm<double, 2>(scene, std::move(objects))
                              : create_mpm<double, 3>(scene, std::move(objects));
}

Result<std::unique_ptr<World>> World::restore(const SceneSettings& scene, Precision precision,
                                              const StateImage& image) {
  if (precision == Precision::single)
    return scene.dimension == 2 ? restore_mpm<float, 2>(scene, image)
                                : restore_mpm<float, 3>(scene, image);
  return scene.dimension == 2 ? restore_mpm<double, 2>(scene, image)
                              : restore_mpm<double, 3>(scene, image);
}

}  // namespace firn
