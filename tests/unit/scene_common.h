// A small good scene, varied by overrides.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scene_io/scene_reader.h"

namespace firn {

inline const char* const kSmallScene = R"({
  "grid": {"spacing": 0.1},
  "materials": {"snow": {"model": "snow"}, "sand": {"model": "sand"}},
  "objects": [
    {"name": "ball", "shape": {"type": "ball", "radius": 0.4, "center": [0, 1, 0]},
     "material": "snow"}],
  "colliders": [{"name": "floor", "shape": {"type": "plane", "point": [0, 0, 0]}}]
})";

inline const char* const kFlatScene = R"({
  "dimension": 2, "gravity": [0, -9.81], "grid": {"spacing": 0.1},
  "materials": {"jelly": {"model": "neo_hookean"}},
  "objects": [{"shape": {"type": "disc", "radius": 0.4, "center": [1, 1]}, "material": "jelly"}]
})";

using Lines = std::vector<std::string>;

inline Lines errors_of(const std::string& text, const Lines& overrides = {}) {
  const auto scene = parse_scene(text, "s.json", overrides);
  return scene ? Lines{} : scene.errors();
}

// The error lines of the small scene with these overrides.
inline Lines errors_with(const Lines& overrides) {
  return errors_of(kSmallScene, overrides);
}

inline SceneSettings scene_with(const Lines& overrides, const char* text = kSmallScene) {
  const auto scene = parse_scene(text, "s.json", overrides);
  EXPECT_TRUE(scene.ok()) << (scene.ok() ? "" : scene.errors().front());
  return scene ? *scene : SceneSettings{};
}

}  // namespace firn
