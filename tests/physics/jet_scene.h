// A jet out of a nozzle, into nothing.
#pragma once

#include "cases/case_tools.h"
#include "scene/defaults.h"

namespace firn {

inline SceneSettings jet_scene(int dimension) {
  SceneSettings scene = case_scene(dimension, 0.05, 20);
  add_material(scene, NeoHookean::Parameters());
  EmitterSettings& e = scene.emitters.emplace_back();
  e.name = "nozzle";
  e.shape.kind = ShapeType::box;
  e.shape.size = {{0.1, 0.4, 0.3}};
  e.velocity = {{1, 0, 0}};
  fill_defaults(scene);
  return scene;
}

}  // namespace firn
