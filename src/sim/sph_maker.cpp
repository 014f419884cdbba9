#include "sim/sph_maker.h"

#include <algorithm>
#include <cmath>

#include "base/mat.h"
#include "scene/particle_sets.h"
#include "sph_cuda/cuda_sph.h"

namespace firn {
namespace {

AirSettings air_settings(const SceneSettings& scene) {
  AirSettings air;
  air.present = scene.air.has_value();
  if (!air.present) return air;
  const VaryingField wind(scene.air->velocity);
  std::copy(wind.component, wind.component + 3, air.velocity);
  air.varies_in_space = wind.varies_in_space();
  air.density = scene.air->density;
  air.drag_coefficient = scene.air->drag_coefficient;
  air.grain_diameter = scene.air->grain_diameter;
  air.grain_density = scene.air->grain_density;
  air.cone_cosine = std::cos(scene.air->cone_angle * kDegree);
  return air;
}

SphSettings sph_settings(const SceneSettings& scene) {
  SphSettings settings;
  settings.spacing = scene.grid.spacing;
  settings.kernel = scene.sph.kernel;
  settings.tolerance = scene.sph.tolerance;
  settings.max_iterations = static_cast<int>(scene.sph.max_iterations);
  settings.cfl = scene.integrator.cfl();
  settings.fixed_dt = scene.integrator.fixed_dt;
  settings.max_dt = scene.integrator.max_dt(scene.fps);
  settings.air = air_settings(scene);
  return settings;
}

}  // namespace

ParticlePlan SphMaker::plan(const SceneSettings& scene) const {
  ParticlePlan plan;
  plan.layouts.resize(planned_sets(scene).size());
  for (SetLayout& layout : plan.layouts)
    layout
        .declare(column::stress,
                 scene.dimension == 2 ? SymMat<double, 2>::kSize : SymMat<double, 3>::kSize)
        .declare(kListedPlace, static_cast<int>(scene.dimension))
        .declare(kShiftPressure, 1);
  return plan;
}

template <class T, int D>
SphMaker::Made<T, D> SphMaker::make_one(const SceneSettings& scene, const Surroundings& around,
                                        Particles<T, D> particles, Device device) {
  std::unique_ptr<Solver<T, D>> made;
  if (device == Device::cpu)
    made = std::make_unique<CpuSph<T, D>>(sph_settings(scene), around, std::move(particles));
  else
    made = std::make_unique<CudaSph<T, D>>(sph_settings(scene), around, std::move(particles));
  return made;
}

#define FIRN_INSTANTIATE(T, D)                            \
  template SphMaker::Made<T, D> SphMaker::make_one<T, D>( \
      const SceneSettings&, const Surroundings&, Particles<T, D>, Device);
FIRN_INSTANTIATE(float, 2)
FIRN_INSTANTIATE(float, 3)
FIRN_INSTANTIATE(double, 2)
FIRN_INSTANTIATE(double, 3)

}  // namespace firn
