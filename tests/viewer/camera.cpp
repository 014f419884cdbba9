// Where the camera stands: what moves stays in sight until somebody touches the camera.
#include <gtest/gtest.h>

#include "../unit/session_common.h"
#include "../unit/test_folder.h"
#include "driver.h"
#include "run/run.h"

namespace firn::viewer {
namespace {

// The scene of the README, coarser.
constexpr const char* kFallingSnow = R"({
  "format": 1, "grid": {"spacing": 0.06},
  "materials": {"snow": {"model": "snow", "critical_stretch": 0.004, "max_hardening": 10}},
  "objects": [{"shape": {"type": "ball", "radius": 0.2, "center": [0, 0.8, 0]}, "material": "snow"}],
  "colliders": [{"shape": {"type": "plane"}, "contact": "separate", "friction": 0.5}],
  "duration": 0.6, "fps": 20, "view": {"look": {"ambient_occlusion": false, "shadows": false}}
})";

class ViewCamera : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!driver_.works()) GTEST_SKIP() << driver_.problem();
  }
  Viewport& view() { return driver_.app().viewport(); }
  void open(const std::string& text) {
    ASSERT_TRUE(driver_.open(folder_.write("scene.json", text).string()));
    driver_.frame(5);
    EXPECT_GT(view().share_in_sight(), 0.99);
  }
  void run_until(std::int64_t frame) {
    // The button pauses what plays.
    if (driver_.work().status.state != SessionState::playing) driver_.click("toolbar/play");
    ASSERT_TRUE(
        driver_.wait_for([&] { return view().shown() && view().shown()->frame >= frame; }, 120));
  }
  bool moved(const Camera& before) {
    const Camera now = view().camera.camera();
    return !(now.eye == before.eye && now.target == before.target &&
             now.ortho_height == before.ortho_height);
  }

  const TestFolder folder_{"viewer_camera"};
  Driver driver_{700, 500};
};

TEST_F(ViewCamera, SeesTheFloorThatTheBallFallsTo) {
  open(kFallingSnow);
  const Camera before = view().camera.camera();
  run_until(11);
  EXPECT_GT(view().share_in_sight(), 0.99);
  EXPECT_FALSE(moved(before));  // it was right from the start
}

TEST_F(ViewCamera, FollowsWhatFallsForEverUntilItIsTouched) {
  const std::string bottomless =
      R"({"dimension": 2, "grid": {"spacing": 0.05}, "fps": 20, "duration": 3,
      "materials": {"jelly": {"model": "neo_hookean", "youngs_modulus": 2e4}},
      "objects": [{"shape": {"type": "disc", "radius": 0.2}, "material": "jelly"}]})";
  open(bottomless);
  run_until(20);  // 4.9 m, twelve times its size
  EXPECT_GT(view().share_in_sight(), 0.5);
  open(bottomless);
  driver_.drag("view", 40, 30);
  const Camera touched = view().camera.camera();
  run_until(20);
  EXPECT_FALSE(moved(touched));
  EXPECT_LT(view().share_in_sight(), 0.01);
  // Showing all of it follows again.
  driver_.app().viewport().frame_scene();
  run_until(30);
  EXPECT_GT(view().share_in_sight(), 0.5);
}

TEST_F(ViewCamera, OfASceneStaysWhereItIs) {
  const auto text =
      apply_override(kFallingSnow, R"(/view={"camera":{"eye":[0,0.9,2],"target":[0,0.9,0]}})");
  ASSERT_TRUE(text.ok());
  open(*text);
  const Camera before = view().camera.camera();
  run_until(11);
  EXPECT_FALSE(moved(before));
}

TEST_F(ViewCamera, OfARunSeesAllOfIt) {
  RunOptions options;
  options.scene = scene_with({}, kFallingSnow);
  options.folder = folder_.path() / "run";
  RunControl control;
  ASSERT_EQ(run_into_folder(options, control, [](const RunProgress&) {}).status,
            RunStatus::finished);
  ASSERT_TRUE(driver_.open(options.folder.string()));
  driver_.frame(5);
  const Camera before = view().camera.camera();
  for (const double frame : {0.0, 6.0, 12.0}) {
    driver_.work().control.position = frame;
    ASSERT_TRUE(driver_.wait_for([&] {
      return view().ready() && view().shown() && view().shown()->frame == std::int64_t(frame);
    }));
    EXPECT_GT(view().share_in_sight(), 0.99) << frame;
  }
  EXPECT_FALSE(moved(before));
}

}  // namespace
}  // namespace firn::viewer
