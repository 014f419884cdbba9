// The program with a real window, on a display that nobody sees, and without any display.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

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

TEST(Window, OpensDrawsAndClosesOnADisplay) {
  if (std::system("command -v xvfb-run > /dev/null && command -v xauth > /dev/null") != 0)
    GTEST_SKIP() << "no xvfb-run";
  const TestFolder folder("viewer_window");
  const std::string scene = folder.write("disc.json", kFallingDisc).string();
  const std::filesystem::path place = folder.path() / "here";
  std::filesystem::create_directory(place);
  const Outcome outcome = outcome_of(
      "cd " + place.string() + " && XDG_CONFIG_HOME=" + folder.path().string() +
      " xvfb-run -a -s '-screen 0 1280x800x24' " FIRN_PROGRAM " view --close-after 2 " + scene);
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "firn/layout.json"));
  EXPECT_TRUE(std::filesystem::is_empty(place));  // nothing is left where the user stands
}

TEST(Window, AnOldOpenGlIsOneSentence) {
  if (std::system("command -v xvfb-run > /dev/null && command -v xauth > /dev/null") != 0)
    GTEST_SKIP() << "no xvfb-run";
  const TestFolder folder("viewer_old_gl");
  const Outcome outcome =
      outcome_of("XDG_CONFIG_HOME=" + folder.path().string() +
                 " MESA_GL_VERSION_OVERRIDE=2.1 xvfb-run -a " FIRN_PROGRAM " view --close-after 2");
  EXPECT_EQ(outcome.status, 1) << outcome.text;
  EXPECT_NE(outcome.text.find("OpenGL 3.3"), std::string::npos) << outcome.text;
  EXPECT_EQ(std::count(outcome.text.begin(), outcome.text.end(), '\n'), 1) << outcome.text;
}

TEST(Window, AnInterruptClosesIt) {
  if (std::system("command -v xvfb-run > /dev/null && command -v xauth > /dev/null") != 0)
    GTEST_SKIP() << "no xvfb-run";
  const TestFolder folder("viewer_interrupt");
  const std::string scene = folder.write("disc.json", kFallingDisc).string();
  const Outcome outcome =
      outcome_of("XDG_CONFIG_HOME=" + folder.path().string() +
                 " xvfb-run -a timeout -s INT 2 " FIRN_PROGRAM " view " + scene + "; exit $?");
  EXPECT_EQ(outcome.status, 124) << outcome.text;  // that of timeout; a crash has another
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "firn/layout.json"));
}

}  // namespace
}  // namespace firn
