// Small scenes for sessions, and their particles as bytes.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "particles/point_table.h"
#include "scene_common.h"

namespace firn {

inline const char* const kFallingDisc = R"({
  "dimension": 2, "grid": {"spacing": 0.05}, "fps": 50, "frames": 20,
  "materials": {"jelly": {"model": "neo_hookean", "youngs_modulus": 2e4}},
  "objects": [{"name": "disc", "shape": {"type": "disc", "radius": 0.2, "center": [0, 0.3]},
               "material": "jelly"}],
  "colliders": [{"name": "floor", "shape": {"type": "plane", "point": [0, 0]}}]
})";

inline SceneSettings falling_disc(const Lines& overrides = {}) {
  return scene_with(overrides, kFallingDisc);
}

// Equal columns of equal bytes.
inline void expect_same_points(const PointTable& a, const PointTable& b) {
  ASSERT_EQ(a.count, b.count);
  ASSERT_EQ(a.columns.size(), b.columns.size());
  for (std::size_t i = 0; i < a.columns.size(); ++i) {
    EXPECT_EQ(a.columns[i].name, b.columns[i].name);
    EXPECT_TRUE(a.columns[i].values == b.columns[i].values) << a.columns[i].name;
  }
}

// Whether something comes true within some seconds.
inline bool comes_true(const std::function<bool()>& condition, double seconds = 20) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return condition();
}

}  // namespace firn
