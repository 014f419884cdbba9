// Meshed solids in a window: what is shown may be chosen at any time.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "session/runner.h"
#include "session_common.h"

namespace firn {
namespace {

// Jelly that lands on a floor, with nothing of its deformation in its frames.
constexpr const char* kJelly = R"j({
  "solver": "fem", "dimension": 2, "fps": 50, "frames": 100, "grid": {"spacing": 0.05},
  "output": {"fields": ["velocity"]},
  "materials": {"jelly": {"model": "fixed_corotated", "youngs_modulus": 5e3}},
  "objects": [{"name": "block", "shape": {"type": "box", "min": [-0.2, 0], "max": [0.2, 0.4]},
               "material": "jelly", "mesh": {"type": "lattice", "edge": 0.1}}],
  "colliders": [{"name": "floor", "shape": {"type": "plane", "point": [0, 0]}}]})j";

class ShownFem : public ::testing::Test {
 protected:
  void run_frames(int count) {
    for (int k = 0; k < count; ++k) ASSERT_TRUE(runner_.run_frame(never_).ok());
  }
  float least(const char* field) {
    const auto picture = runner_.picture({field}, false);
    const std::vector<float>* values = picture->points.get<float>(field);
    if (!values || values->empty()) return NAN;
    return *std::min_element(values->begin(), values->end());
  }

  std::atomic<bool> never_ = false;
  Runner runner_;
};

TEST_F(ShownFem, FieldsThatTheSceneDoesNotShow) {
  ASSERT_EQ(runner_.open(scene_with({}, kJelly), "jelly.json"), Errors{});
  run_frames(4);
  EXPECT_LT(least("det_F"), 0.95);
  EXPECT_LT(least("stress_min"), -1000);
}

TEST_F(ShownFem, SoAfterAnEdit) {
  ASSERT_EQ(runner_.open(scene_with({}, kJelly), "jelly.json"), Errors{});
  run_frames(4);
  const EditReport report = runner_.edit(scene_with({"/gravity=[0,-1]"}, kJelly));
  ASSERT_EQ(report.errors, Errors{});
  EXPECT_EQ(report.verdict.effect, EditEffect::at_once) << report.words;
  EXPECT_LT(least("det_F"), 0.95);
  EXPECT_LT(least("stress_min"), -1000);
}

}  // namespace
}  // namespace firn
