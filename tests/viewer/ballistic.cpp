// The window over the smallest solver: it plays, steps, takes edits and resets.
#include <gtest/gtest.h>

#include <cmath>

#include "../unit/ballistic_solver.h"
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

}  // namespace
}  // namespace firn::viewer
