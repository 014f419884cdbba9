// Granular SPH on both devices: with the same number of iterations they leave the same state.
#include <algorithm>

#include "cases/agreement_scenes.h"
#include "cases/case_tools.h"
#include "cases/compare_devices.h"

namespace firn {
namespace {

constexpr int kIterations = 12;
constexpr double kStep = 2e-3;  // s

// All steps are so long and take so many iterations: where they ended by tolerance, rounding would
// say when.
void make_sph(SceneSettings& scene) {
  scene.solver = SolverKind::sph;
  scene.integrator.fixed_dt = kStep;
  scene.sph.tolerance = 1e-8;
  scene.sph.max_iterations = kIterations;
  for (MaterialSettings& material : scene.materials) {
    material.parameters = Sand::Parameters{};
    material.expressions.clear();
  }
}

// Sand of two kinds, wet and dry, in a channel without end.
SceneSettings channel(int dimension) {
  SceneSettings scene =
      fall_scene(dimension, {model_index_by_name("sand"), model_index_by_name("sand")}, 0.06, 0.5);
  make_sph(scene);
  auto& wet = std::get<Sand::Parameters>(scene.materials[0].parameters);
  wet.cohesion = 500;
  wet.friction_angle = 40;
  scene.colliders.pop_back();  // the wall
  scene.grid.periodic.axes[0] = Interval{0, 24 * scene.grid.spacing};
  return scene;
}

// Some of them with fine grains, which are floats in any case.
std::vector<AgreementScene> grain_scenes(const std::vector<AgreementScene>& all) {
  std::vector<AgreementScene> scenes;
  for (const AgreementScene& given : all)
    for (const std::string name : {"spiky", "moving_box", "emitter_and_sink", "gravity_in_space"}) {
      if (given.name != name) continue;
      scenes.push_back(given);
      scenes.back().name = "grains " + name;
      scenes.back().tolerance = agreement_tolerance(Precision::single);
      scenes.back().scene.grains.emplace();
      scenes.back().scene.grains->per_particle = 20;
      if (name != "spiky") continue;
      scenes.push_back(scenes.back());
      scenes.back().name = "grains printed";
      scenes.back().scene.grains->method = GrainMethod::printed;
    }
  return scenes;
}

}  // namespace

std::vector<AgreementScene> sph_scenes(int dimension, Precision precision) {
  std::vector<AgreementScene> scenes;
  for (const auto& [kernel, name] : {std::pair{SmoothingKind::spiky, "spiky"},
                                     std::pair{SmoothingKind::cubic_spline, "cubic_spline"},
                                     std::pair{SmoothingKind::wendland, "wendland"}}) {
    scenes.push_back({name, channel(dimension)});
    scenes.back().scene.sph.kernel = kernel;
  }
  scenes.push_back({"wind", channel(dimension)});
  scenes.back().scene.air.emplace();
  scenes.back().scene.air->velocity = {{{0, "8+3*sin(4*x+20*t)"}, {0, "y"}, 0}};
  for (AgreementScene& test : agreement_scenes(dimension)) {
    if (test.name.starts_with("varied")) continue;
    make_sph(test.scene);
    // Sand that sticks or not, by the last digit of its pressure.
    if (test.name == "moving_mesh") test.scene.colliders.back().contact = ContactKind::separate;
    scenes.push_back(std::move(test));
  }
  for (AgreementScene& test : grain_scenes(scenes)) scenes.push_back(std::move(test));
  for (AgreementScene& test : scenes) {
    test.name = "sph " + test.name;
    test.steps = std::min(test.steps, agreement_steps_of_sph(precision));
  }
  return scenes;
}

}  // namespace firn
