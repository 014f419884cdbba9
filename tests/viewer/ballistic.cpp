// The window over the smallest solver: it plays, steps, takes edits and resets.
#include <gtest/gtest.h>

#include <cmath>

#include "../unit/meshed_solver.h"
#include "../unit/test_folder.h"
#include "driver.h"
#include "keys.h"

namespace firn::viewer {
namespace {

constexpr const char* kScene = R"({
  "name": "throw", "grid": {"spacing": 0.1}, "fps": 50, "frames": 40,
  "materials": {"drops": {"model": "neo_hookean"}},
  "objects": [{"name": "ball", "shape": {"type": "ball", "radius": 0.3, "center": [0, 2, 0]},
               "material": "drops", "velocity": [1, 0, 0]}],
  "view": {"look": {"ambient_occlusion": false}}
})";

AppOptions with(const SolverMaker& maker) {
  AppOptions options;
  options.maker = &maker;
  return options;
}

TEST(BallisticWindow, PlaysStepsAndTakesEdits) {
  const BallisticMaker maker;
  const TestFolder folder("viewer_ballistic");
  Driver driver(800, 600, with(maker));
  if (!driver.works()) GTEST_SKIP() << driver.problem();
  ASSERT_TRUE(driver.open(folder.write("throw.json", kScene).string()));
  driver.frame(5);
  Workspace& work = driver.work();
  const auto frame = [&] { return work.session_frame ? work.session_frame->stats.frame : -1; };
  driver.click("toolbar/play");
  ASSERT_TRUE(driver.wait_for([&] { return frame() >= 5; }));
  driver.press(kKeySpace);
  ASSERT_TRUE(driver.wait_for([&] { return work.status.state == SessionState::paused; }));
  // v' = -k v, whatever the materials' stresses would do.
  const FrameStats& stats = work.session_frame->stats;
  const double decay = std::exp(-BallisticSolver<float, 3>::kDrag * stats.time);
  EXPECT_NEAR(stats.momentum[0] / stats.mass, decay, 1e-4);
  EXPECT_EQ(stats.elastic, 0);
  // Gravity takes effect at once, and the solver goes on from where it was.
  SceneSettings edited = work.document.scene();
  edited.gravity[1].value = 0;
  const std::uint64_t number = work.session.edit(edited);
  ASSERT_TRUE(driver.wait_for([&] { return work.status.edit >= number; }));
  EXPECT_TRUE(work.status.errors.empty());
  EXPECT_FALSE(work.status.waits_for_reset);
  const std::int64_t before = frame();
  driver.press(kKeyRight);
  ASSERT_TRUE(driver.wait_for([&] { return frame() == before + 1; }));
  driver.press('R');
  ASSERT_TRUE(driver.wait_for([&] { return frame() == 0; }));
  EXPECT_GT(driver.picture().rgb.size(), 0u);
}

constexpr const char* kMeshScene = R"({
  "name": "cloth", "grid": {"spacing": 0.2}, "fps": 50, "frames": 40, "gravity": [0, 0, 0],
  "materials": {"cloth": {"model": "neo_hookean"}},
  "objects": [{"name": "corners", "shape": {"type": "points", "file": "corners.csv"},
               "material": "cloth", "colors": [{"color": "#d01010"}], "velocity": [0, 0, 0.5]}],
  "colliders": [{"name": "lift", "motion": {"translation": [0, "2*t", 0]},
                 "shape": {"type": "box", "size": [0.5, 0.5, 0.5], "center": [5, 0, 0]}}],
  "view": {"look": {"ambient_occlusion": false},
           "camera": {"eye": [2, 0.5, 8], "target": [2, 0.5, 0]}}
})";

int reddish_pixels(const Image& image) {
  int count = 0;
  for (std::size_t i = 0; i + 2 < image.rgb.size(); i += 3)
    count += image.rgb[i] > 2 * image.rgb[i + 1] && image.rgb[i] > 2 * image.rgb[i + 2];
  return count;
}

TEST(BallisticWindow, ShowsMeshesAndBodies) {
  const MeshedMaker maker;
  const TestFolder folder("viewer_meshes");
  Driver driver(800, 600, with(maker));
  if (!driver.works()) GTEST_SKIP() << driver.problem();
  folder.write("corners.csv", kMeshedPoints);
  ASSERT_TRUE(driver.open(folder.write("cloth.json", kMeshScene).string()));
  driver.frame(5);
  Workspace& work = driver.work();
  ASSERT_TRUE(driver.wait_for([&] { return work.session_frame != nullptr; }));
  driver.press(kKeyRight);
  ASSERT_TRUE(driver.wait_for([&] { return work.session_frame->stats.frame >= 1; }));
  driver.frame(5);
  EXPECT_EQ(work.session_frame->points.meshes.size(), 2u);
  ASSERT_EQ(work.session_frame->points.bodies.size(), 1u);
  EXPECT_NEAR(work.session_frame->points.bodies[0].velocity[1], 2, 1e-6);
  // The sheet alone is a square of 1 m, some 80 pixels a side; eight balls would be far smaller.
  EXPECT_GT(reddish_pixels(driver.picture()), 3000);
}

}  // namespace
}  // namespace firn::viewer
