// A scene with something of everything that a pack must carry, and a moving mesh.
#pragma once

#include "pack/world_pack.h"
#include "scene_common.h"

namespace firn {

inline const char* const kFullScene = R"json({
  "fps": 100, "frames": 5, "grid": {"spacing": 0.1}, "particle_collisions": true,
  "gravity": ["sin(3*t)", "-9.81 + x*y", 0], "scalars": ["dye"],
  "materials": {"snow": {"model": "snow", "preset": "chunky"},
                "water": {"model": "fluid", "viscosity": 0.5}},
  "objects": [
    {"name": "ball", "shape": {"type": "ball", "radius": 0.2, "center": [0, 0.6, 0]},
     "material": "snow", "velocity": ["y", 0, "-x"], "angular_velocity": [0, 90, 0],
     "fields": {"mass_scale": "1 + 0.1*x", "dye": "y"},
     "colors": [{"color": "#ff0000", "probability": 2}, {"color": [0, 0, 1]}]},
    {"name": "cube", "shape": {"type": "mesh", "file": "mesh/cube.obj", "size": 0.3,
                               "center": [0.6, 0.7, 0]}, "material": "water",
     "sampling": {"type": "grid", "spacing": 0.1}}],
  "emitters": [{"shape": {"type": "box", "size": [0.2, 0.2, 0.2], "center": [0, 1.2, 0]},
                "material": "water", "velocity": [0, -3, 0], "stop": 0.5}],
  "sinks": [{"shape": {"type": "plane", "point": [0, -1, 0]}, "start": 0.01}],
  "colliders": [
    {"name": "floor", "shape": {"type": "plane", "point": [0, 0, 0]}, "friction": "0.3 + 0.1*t"},
    {"name": "block", "shape": {"type": "mesh", "file": "mesh/cube.obj", "size": 0.4,
                                "center": [0, 0.1, 0]},
     "motion": {"translation": ["0.2*sin(9*t)", 0, 0], "rotation": [0, "200*t", 0]}},
    {"shape": {"type": "difference", "shapes": [{"type": "box", "size": [3, 3, 3]},
               {"type": "box", "size": [2, 4, 2]}]}}],
  "probes": [{"name": "here", "type": "point", "position": [0, 0.5, 0], "fields": ["dye"]}],
  "view": {
  "camera" : {"eye" : [ 0, 1, 4 ], "target" : [ 0, 0, 0 ]},
             "color_by" : "dye",
                          "color_range" : [ 0, 1 ],
                                          "look" : {
    "materials" : [ {"material" : "water", "opacity" : 0.5} ]
  }
}
})json";

inline SceneSettings full_scene() {
  const auto scene = parse_scene(kFullScene, FIRN_SOURCE_DIR "/tests/fuzz/corpus/full.json");
  EXPECT_TRUE(scene.ok()) << (scene.ok() ? "" : scene.errors().front());
  return scene ? *scene : SceneSettings{};
}

}  // namespace firn
