// What can go wrong around a window: a sentence and a way on.
#include <gtest/gtest.h>

#include <sys/resource.h>

#include <cstdlib>
#include <filesystem>

#include "../unit/film_probe.h"
#include "../unit/session_common.h"
#include "../unit/test_folder.h"
#include "cuda/device.h"
#include "driver.h"
#include "run/run.h"

namespace firn::viewer {
namespace {

namespace fs = std::filesystem;

#define NEEDS_GL(driver) \
  if (!(driver).works()) GTEST_SKIP() << (driver).problem()

TEST(Faults, AWindowOfOnePixelAndOneThatGrowsAgain) {
  const TestFolder folder("viewer_small");
  Driver driver(1, 1);
  NEEDS_GL(driver);
  driver.app().open(folder.write("disc.json", kFallingDisc).string());
  driver.frame(30);
  for (const int size : {3, 40, 300, 2, 800}) {
    driver.resize(size, size);
    driver.frame(4);
  }
  EXPECT_TRUE(driver.wait_for([&] { return driver.app().viewport().shown().has_value(); }));
}

TEST(Faults, ASceneWithoutParticlesPlays) {
  const TestFolder folder("viewer_empty");
  Driver driver(900, 600);
  NEEDS_GL(driver);
  const fs::path path =
      folder.write("empty.json", R"({"dimension": 2, "materials": {"a": {"model": "snow"}},
                        "emitters": [{"material": "a", "velocity": [0, -1], "start": 100,
                                      "shape": {"type": "box", "size": [1, 1]}}]})");
  ASSERT_TRUE(driver.open(path.string()));
  driver.click("toolbar/frame");
  EXPECT_TRUE(driver.wait_for([&] {
    return driver.work().session_frame && driver.work().session_frame->stats.frame == 1;
  }));
}

// A device is offered where there is one; where there is none the CPU simulates.
TEST(Faults, ADeviceThatIsNotThereIsNotNeeded) {
  const TestFolder folder("viewer_device");
  AppOptions options;
  options.device = Device::cuda;
  Driver driver(900, 600, options);
  NEEDS_GL(driver);
  const bool exists = device_name().ok();
  ASSERT_TRUE(driver.open(folder.write("disc.json", kFallingDisc).string()));
  driver.app().layout().show("Simulation");
  driver.frame(3);
  EXPECT_EQ(driver.app().items().find("simulation/device") != nullptr, exists);
  driver.click("simulation/frame");
  EXPECT_TRUE(driver.wait_for([&] {
    return driver.work().session_frame && driver.work().session_frame->stats.frame == 1;
  }));
  EXPECT_EQ(driver.work().status.device, exists ? Device::cuda : Device::cpu);
}

TEST(Faults, ErrorsOfASceneShowInTheWindow) {
  const TestFolder folder("viewer_errors");
  Driver driver(900, 600);
  NEEDS_GL(driver);
  driver.app().open_new();
  driver.frame(5);
  for (const char* text : {"{", "[]", R"({"materials": {"a": {"model": "snaw"}}})"}) {
    driver.app().open(folder.write("bad.json", text).string());
    EXPECT_TRUE(driver.wait_for([&] { return !driver.work().is_opening(); }));
    driver.frame(5);
    ASSERT_FALSE(driver.work().errors().empty()) << text;
    EXPECT_NE(driver.work().errors()[0].find("bad.json"), std::string::npos);
  }
  driver.app().open((folder.path() / "nothing.json").string());
  EXPECT_TRUE(driver.wait_for([&] { return !driver.work().is_opening(); }));
  EXPECT_FALSE(driver.work().errors().empty());
  ASSERT_TRUE(driver.open(folder.write("good.json", kFallingDisc).string()));
  EXPECT_TRUE(driver.work().errors().empty());
}

TEST(Faults, ARunWithGapsAndDamageIsPlayedBack) {
  const TestFolder folder("viewer_run");
  RunOptions options;
  options.scene = falling_disc();
  options.scene_file = "disc.json";
  options.frames = 8;
  options.folder = folder.path() / "run";
  options.program = "test";
  RunControl control;
  run_into_folder(options, control, [](const RunProgress&) {});
  const RunFolder run{options.folder};
  fs::remove(run.frame(3));
  fs::resize_file(run.frame(5), 300);

  Driver driver(1100, 700);
  NEEDS_GL(driver);
  ASSERT_TRUE(driver.open(run.root.string()));
  EXPECT_TRUE(driver.work().plays_back());
  for (int i = 0; i < 8; ++i) driver.click("timeline/step");
  EXPECT_TRUE(driver.wait_for([&] { return driver.app().viewport().shown()->frame == 8; }));
  if (const char* shots = std::getenv("FIRN_SCREENSHOTS"))
    driver.screenshot(fs::path(shots) / "viewer_timeline.png");
  driver.click("timeline/back");
  driver.click("timeline/back");
  driver.click("timeline/back");
  EXPECT_TRUE(driver.wait_for([&] { return !driver.work().playback_problem.empty(); }));
  driver.click("timeline/play");
  driver.frame(60);

  // A film leaves the two out.
  driver.click("tab/Recording");
  RecordForm& form = driver.app().forms().record;
  form.film = (folder.path() / "film.mp4").string();
  form.size[0] = 160, form.size[1] = 120;
  driver.click("recording/start");
  EXPECT_TRUE(driver.wait_for([&] { return !driver.app().recorder().recording(); }));
  EXPECT_EQ(driver.app().recorder().taken(), 7);
  EXPECT_TRUE(fs::exists(form.film));

  driver.click("timeline/simulate");
  EXPECT_TRUE(driver.wait_for([&] { return driver.work().session_frame != nullptr; }));
  EXPECT_FALSE(driver.work().plays_back());
}

TEST(Faults, AFilmThatCannotBeWrittenIsAMessage) {
  const TestFolder folder("viewer_film");
  Driver driver(900, 600);
  NEEDS_GL(driver);
  ASSERT_TRUE(driver.open(folder.write("disc.json", kFallingDisc).string()));
  RecordForm form;
  form.film = (folder.path() / "no_such_folder/film.mp4").string();
  form.to = 2;
  driver.app().recorder().start(form);
  EXPECT_TRUE(driver.wait_for([&] { return !driver.app().recorder().recording(); }));
  EXPECT_NE(driver.app().recorder().words().find("film.mp4"), std::string::npos);
}

TEST(Faults, WithoutFfmpegAFilmIsAMessageAndTheWindowGoesOn) {
  const TestFolder folder("viewer_no_ffmpeg");
  Driver driver(900, 600);
  NEEDS_GL(driver);
  ASSERT_TRUE(driver.open(folder.write("disc.json", kFallingDisc).string()));
  RecordForm form;
  form.film = (folder.path() / "film.mp4").string();
  form.to = 2;
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder.path().c_str(), 1);
  driver.app().recorder().start(form);
  setenv("PATH", path.c_str(), 1);
  EXPECT_FALSE(driver.app().recorder().recording());
  EXPECT_NE(driver.app().recorder().words().find("apt install ffmpeg"), std::string::npos);
  driver.app().recorder().start(form);
  EXPECT_TRUE(driver.wait_for([&] { return !driver.app().recorder().recording(); }));
  EXPECT_EQ(pictures_in(form.film), 3);
}

// Files may not grow: what a full disk does to ffmpeg.
TEST(Faults, AFullDiskEndsTheFilmWithAMessage) {
  const TestFolder folder("viewer_full");
  Driver driver(900, 600);
  NEEDS_GL(driver);
  ASSERT_TRUE(driver.open(folder.write("disc.json", kFallingDisc).string()));
  RecordForm form;
  form.film = (folder.path() / "film.mp4").string();
  form.size[0] = 640, form.size[1] = 480;
  form.to = 10;
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{2000, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  driver.app().recorder().start(form);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_TRUE(driver.wait_for([&] { return !driver.app().recorder().recording(); }));
  EXPECT_NE(driver.app().recorder().words().find("ffmpeg"), std::string::npos)
      << driver.app().recorder().words();
  EXPECT_FALSE(fs::exists(form.film));
  driver.click("toolbar/play");
  EXPECT_TRUE(driver.wait_for([&] { return driver.work().status.state == SessionState::playing; }));
}

TEST(Faults, AFilmThatTheWindowIsClosedOnIsPlayable) {
  const TestFolder folder("viewer_closed");
  RecordForm form;
  form.film = (folder.path() / "film.mp4").string();
  form.size[0] = 160, form.size[1] = 120;
  form.to = 100000;
  int taken = 0;
  {
    Driver driver(900, 600);
    NEEDS_GL(driver);
    ASSERT_TRUE(driver.open(folder.write("disc.json", kFallingDisc).string()));
    driver.work().document.scene().frames = form.to;
    driver.work().document.touch();
    driver.frame(3);
    driver.app().recorder().start(form);
    EXPECT_TRUE(driver.wait_for([&] { return driver.app().recorder().taken() > 4; }));
    taken = driver.app().recorder().taken();
  }
  EXPECT_EQ(pictures_in(form.film), taken);
}

TEST(Faults, AnUnstableRunStopsWithAMessageAndGoesOnAfterReset) {
  const TestFolder folder("viewer_unstable");
  Driver driver(900, 600);
  NEEDS_GL(driver);
  const fs::path path = folder.write("disc.json", kFallingDisc);
  ASSERT_TRUE(driver.open(path.string()));
  driver.work().document.scene().integrator.fixed_dt = 0.02;
  driver.work().document.touch();
  driver.frame(5);
  driver.click("toolbar/play");
  EXPECT_TRUE(driver.wait_for([&] { return driver.work().status.state == SessionState::failed; }));
  driver.frame(2);
  ASSERT_FALSE(driver.work().errors().empty());
  driver.work().undo();
  EXPECT_TRUE(driver.wait_for([&] { return driver.work().status.edit >= 2; }));
  driver.click("toolbar/reset");
  EXPECT_TRUE(driver.wait_for([&] { return driver.work().status.state == SessionState::paused; }));
}

}  // namespace
}  // namespace firn::viewer
