// A run on the GPU in the window, on machines that have one.
#include "cuda/device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "../unit/test_folder.h"
#include "driver.h"

namespace firn::viewer {
namespace {

constexpr const char* kScene = R"j({
  "name": "heap", "grid": {"spacing": 0.02}, "fps": 50, "frames": 60,
  "materials": {"sand": {"model": "sand"}, "water": {"model": "fluid", "bulk_modulus": 5e4}},
  "objects": [
    {"material": "sand", "colors": [{"color": "#d0a060"}],
     "shape": {"type": "box", "size": [0.4, 0.6, 0.4], "center": [-0.3, 0.3, 0]}},
    {"material": "water", "colors": [{"color": "#4080d0"}],
     "shape": {"type": "ball", "radius": 0.2, "center": [0.35, 0.5, 0]}}],
  "colliders": [{"friction": 0.5, "shape": {"type": "plane"}},
                {"shape": {"type": "box", "size": [0.1, 0.3, 0.6], "center": [0.05, 0.15, 0]},
                 "motion": {"translation": ["0.1*sin(6*t)", 0, 0]}}]})j";

// Pixels that differ in the middle of the window, where the scene is.
int changed_in_view(const Image& a, const Image& b) {
  int changed = 0;
  for (int y = a.height / 6; y < a.height * 5 / 8; ++y)
    for (int x = a.width * 2 / 5; x < a.width * 5 / 8; ++x) {
      const std::size_t at = 3 * (std::size_t(y) * a.width + x);
      changed += !std::equal(&a.rgb[at], &a.rgb[at] + 3, &b.rgb[at]);
    }
  return changed;
}

TEST(Cuda, ARunIsShownStoppedEditedAndReset) {
  if (const auto name = device_name(); !name) GTEST_SKIP() << name.errors().front();
  const TestFolder folder("viewer_cuda");
  AppOptions options;
  options.device = Device::cuda;
  Driver driver(1100, 700, options);
  if (!driver.works()) GTEST_SKIP() << driver.problem();
  ASSERT_TRUE(driver.open(folder.write("heap.json", kScene).string()));
  const auto frame = [&] {
    return driver.work().session_frame ? driver.work().session_frame->stats.frame : -1;
  };
  driver.app().layout().show("Simulation");
  ASSERT_TRUE(driver.wait_for([&] { return driver.app().viewport().ready(); }));
  driver.frame(5);
  const Image before = driver.picture();
  driver.click("toolbar/play");
  ASSERT_TRUE(driver.wait_for([&] { return frame() >= 20; }, 60));
  EXPECT_EQ(driver.work().status.device, Device::cuda);
  driver.click("toolbar/play");
  ASSERT_TRUE(driver.wait_for([&] {
    return driver.work().status.state == SessionState::paused && driver.app().viewport().ready();
  }));
  driver.frame(5);
  const Image after = driver.picture();
  EXPECT_GT(changed_in_view(before, after), 1000);
  if (const char* shots = std::getenv("FIRN_SCREENSHOTS"))
    driver.screenshot(std::filesystem::path(shots) / "viewer_cuda.png");

  // At once, while it runs: the world goes through memory.
  driver.click("toolbar/play");
  driver.click("tab/Materials");
  driver.click("/materials/sand");
  driver.type("/materials/sand/youngs_modulus", "2e6", true);
  EXPECT_TRUE(driver.wait_for([&] { return driver.work().status.edit > 0; }));
  const auto edited = frame();
  EXPECT_TRUE(driver.wait_for([&] { return frame() > edited + 2; }, 60));
  EXPECT_EQ(driver.work().status.device, Device::cuda);
  EXPECT_TRUE(driver.work().status.errors.empty());

  driver.click("toolbar/play");
  driver.click("toolbar/reset");
  EXPECT_TRUE(driver.wait_for([&] { return frame() == 0; }));
  EXPECT_EQ(driver.work().status.device, Device::cuda);
}

}  // namespace
}  // namespace firn::viewer
