// How the solver of a scene is made: what its particles must carry, and the solver itself.
#pragma once

#include <functional>
#include <memory>

#include "scene/settings.h"
#include "solver/device.h"
#include "solver/solver.h"

namespace firn {

// What a solver wants of its particles.
struct ParticlePlan {
  std::vector<SetLayout> layouts;  // of each planned set of the scene (scene/particle_sets.h)
  double shift = 0;                // Particles::shift
  double affine_d = 0;             // Particles::affine_d
  // From a velocity gradient to the affine matrix that particles keep, for a coordinate x;
  // empty: 1.
  std::function<double(double x)> affine_scale;
};

class SolverMaker {
 public:
  virtual ~SolverMaker() = default;
  virtual ParticlePlan plan(const SceneSettings& scene) const = 0;

  template <class T, int D>
  using Made = Result<std::unique_ptr<Solver<T, D>>>;
  virtual Made<float, 2> make(const SceneSettings&, const Surroundings&, Particles<float, 2>,
                              Device) const = 0;
  virtual Made<float, 3> make(const SceneSettings&, const Surroundings&, Particles<float, 3>,
                              Device) const = 0;
  virtual Made<double, 2> make(const SceneSettings&, const Surroundings&, Particles<double, 2>,
                               Device) const = 0;
  virtual Made<double, 3> make(const SceneSettings&, const Surroundings&, Particles<double, 3>,
                               Device) const = 0;
};

// All four from one function template: Maker::make_one<T, D>(scene, surroundings, particles,
// device).
template <class Maker>
class SolverMakerOf : public SolverMaker {
 public:
  Made<float, 2> make(const SceneSettings& scene, const Surroundings& around,
                      Particles<float, 2> particles, Device device) const override {
    return Maker::template make_one<float, 2>(scene, around, std::move(particles), device);
  }
  Made<float, 3> make(const SceneSettings& scene, const Surroundings& around,
                      Particles<float, 3> particles, Device device) const override {
    return Maker::template make_one<float, 3>(scene, around, std::move(particles), device);
  }
  Made<double, 2> make(const SceneSettings& scene, const Surroundings& around,
                       Particles<double, 2> particles, Device device) const override {
    return Maker::template make_one<double, 2>(scene, around, std::move(particles), device);
  }
  Made<double, 3> make(const SceneSettings& scene, const Surroundings& around,
                       Particles<double, 3> particles, Device device) const override {
    return Maker::template make_one<double, 3>(scene, around, std::move(particles), device);
  }
};

// Of the scene's `solver`.
const SolverMaker& solver_maker(const SceneSettings& scene);

}  // namespace firn
