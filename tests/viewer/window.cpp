// The program with a real window, on a display that nobody sees, and without any display.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "../opengl/driver.h"
#include "../unit/session_common.h"
#include "../unit/test_folder.h"

namespace firn {
namespace {

struct Outcome {
  int status = -1;
  std::string text;
};

Outcome outcome_of(const std::string& command) {
  Outcome outcome;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe) return outcome;
  std::array<char, 256> block{};
  while (std::fgets(block.data(), block.size(), pipe)) outcome.text += block.data();
  const int status = pclose(pipe);
  if (WIFEXITED(status)) outcome.status = WEXITSTATUS(status);
  return outcome;
}

TEST(Window, WithoutADisplayOneSentenceNamesAnotherWay) {
  const Outcome outcome = outcome_of("env -u DISPLAY -u WAYLAND_DISPLAY " FIRN_PROGRAM " view");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.text.find("firn render"), std::string::npos) << outcome.text;
  EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << outcome.text;
}

TEST(Window, ASceneThatIsNotThereIsBadInput) {
  const Outcome outcome = outcome_of(FIRN_PROGRAM " view no_such_scene");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.text.find("no_such_scene"), std::string::npos) << outcome.text;
}

// What the program says and returns when it runs on a display that nobody sees. xvfb-run has a
// status of its own, of how it cleans up, which says nothing about the program.
class OnDisplay : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::system("command -v xvfb-run > /dev/null && command -v xauth > /dev/null") != 0)
      GTEST_SKIP() << "no xvfb-run";
  }
  // Stands in `place`; `environment` are assignments for the shell.
  Outcome run(const std::string& environment, const std::string& command) {
    const std::string text = (folder_.path() / "text").string(),
                      status = (folder_.path() / "status").string();
    const std::string inner = command + " > " + text + " 2>&1; echo $? > " + status;
    const Outcome display = outcome_of(
        "cd " + place_.string() + " && XDG_CONFIG_HOME=" + folder_.path().string() + " " +
        environment + " xvfb-run -a -s '-screen 0 1280x800x24' sh -c '" + inner + "'");
    Outcome outcome;
    std::ifstream(status) >> outcome.status;
    std::ifstream said(text);
    outcome.text.assign(std::istreambuf_iterator<char>(said), {});
    EXPECT_GE(outcome.status, 0) << "no display: " << display.text;
    return outcome;
  }
  std::string scene() { return folder_.write("disc.json", kFallingDisc).string(); }

  const TestFolder folder_{"viewer_window"};
  const std::filesystem::path layout_ = folder_.path() / "firn/layout.json";
  const std::filesystem::path place_ = [this] {
    std::filesystem::create_directory(folder_.path() / "here");
    return folder_.path() / "here";
  }();
};

TEST_F(OnDisplay, OpensDrawsAndCloses) {
  FIRN_NEEDS_OPENGL();
  const Outcome outcome = run("", FIRN_PROGRAM " view --close-after 2 " + scene());
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  EXPECT_TRUE(std::filesystem::exists(layout_));
  EXPECT_TRUE(std::filesystem::is_empty(place_));  // nothing is left where the user stands
}

TEST_F(OnDisplay, AnOldOpenGlIsOneSentence) {
  const Outcome outcome = run("MESA_GL_VERSION_OVERRIDE=2.1", FIRN_PROGRAM " view --close-after 2");
  EXPECT_EQ(outcome.status, 1) << outcome.text;
  EXPECT_NE(outcome.text.find("OpenGL 3.3"), std::string::npos) << outcome.text;
  EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << outcome.text;
}

TEST_F(OnDisplay, AnInterruptCloses) {
  FIRN_NEEDS_OPENGL();
  // The first window tries the driver, which takes its time; the next one knows it.
  ASSERT_EQ(run("", FIRN_PROGRAM " view --close-after 1").status, 0);
  std::filesystem::remove(layout_);
  // A busy machine may need long to open a window at all.
  for (const char* seconds : {"4", "16", "60"}) {
    if (std::filesystem::exists(layout_)) break;
    const Outcome outcome =
        run("", std::string("timeout -s INT ") + seconds + " " FIRN_PROGRAM " view " + scene());
    EXPECT_EQ(outcome.status, 124) << outcome.text;  // that of timeout; a crash has another
  }
  EXPECT_TRUE(std::filesystem::exists(layout_));
}

}  // namespace
}  // namespace firn
