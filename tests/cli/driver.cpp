// A driver of OpenGL that is made to die, to hang, to leave or to draw nothing: every command says
// so in one line and goes on, or ends with that line, and never by a signal.
#include <stdlib.h>

#include "../opengl/driver.h"
#include "../unit/film_probe.h"
#include "program.h"

namespace firn::test {
namespace {

class Driver : public ProgramTest {
 protected:
  Driver() {
    before_ = getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : "";
    setenv("FIRN_CACHE", path("cache").c_str(), 1);
    setenv("FIRN_DRIVER_SECONDS", "300", 1);
  }
  ~Driver() override {
    be_good();
    for (const char* name : {"FIRN_CACHE", "FIRN_DRIVER_SECONDS", "FIRN_BAD_DRIVER"})
      unsetenv(name);
  }
  void be_bad(const char* how) {
    setenv("LD_PRELOAD", (FIRN_BAD_DRIVER + (before_.empty() ? "" : ":" + before_)).c_str(), 1);
    setenv("FIRN_BAD_DRIVER", how, 1);
  }
  void be_good() {
    before_.empty() ? unsetenv("LD_PRELOAD") : setenv("LD_PRELOAD", before_.c_str(), 1);
  }
  void make_run() {
    const Outcome made =
        firn({"run", test_scene("mixed_2d.json"), "--frames", "1", "--out", "run"});
    ASSERT_EQ(made.status, 0) << made.err;
  }
  Outcome still(std::vector<std::string> more = {}) {
    std::vector<std::string> all{"render", "run", "-o", "still.png", "--size", "64x48"};
    all.insert(all.end(), more.begin(), more.end());
    return firn(all);
  }
  // The picture is there, and one line says who drew it and why.
  void expect_drawn_by_cpu(const Outcome& outcome, const std::string& file,
                           const std::string& words) {
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
    EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("drawing with the CPU renderer"), std::string::npos) << outcome.err;
    EXPECT_TRUE(fs::exists(path(file))) << file;
    fs::remove(path(file));
  }
  // The status of a window with a bad driver, on a display that nobody sees.
  int view(const std::string& how) {
    fs::remove_all(path("cache"));
    const std::string inner =
        std::string("LD_PRELOAD=") + FIRN_BAD_DRIVER + ":$LD_PRELOAD" + " FIRN_BAD_DRIVER=" + how +
        " " FIRN_PROGRAM " view --close-after 2 > said 2>&1; echo $? > status";
    const std::string command =
        "cd " + path("").string() +
        " && XDG_CONFIG_HOME=. xvfb-run -a -s '-screen 0 640x480x24' sh -c '" + inner +
        "' > /dev/null 2>&1";
    (void)system(command.c_str());
    return atoi(content(path("status")).c_str());
  }

 private:
  std::string before_;
};

#define NEEDS_DISPLAY()                                                               \
  if (system("command -v xvfb-run > /dev/null && command -v xauth > /dev/null") != 0) \
  GTEST_SKIP() << "no xvfb-run"

TEST_F(Driver, ThatDiesLeavesEveryPictureToTheCpu) {
  make_run();
  be_bad("dies");
  const std::string words = "dies of SIGILL when it draws";
  expect_drawn_by_cpu(still(), "still.png", words);
  for (const char* style : {"points", "spheres", "icosahedra", "mesh"})
    expect_drawn_by_cpu(still({"--style", style}), "still.png", words);
  expect_drawn_by_cpu(firn({"render", "run", "-o", "film.mp4", "--size", "64x48"}), "film.mp4",
                      words);
  expect_drawn_by_cpu(firn({"render", test_scene("mixed_2d.json"), "--frames", "2", "--live", "-o",
                            "live.mp4", "--size", "64x48"}),
                      "live.mp4", words);
  const Outcome preview = firn({"check", test_scene("mixed_2d.json"), "--preview", "start.png"});
  EXPECT_EQ(preview.status, 0) << preview.err;
  EXPECT_TRUE(fs::exists(path("start.png")));
  EXPECT_EQ(still({"--renderer", "cpu"}).err, "");  // who does not ask for OpenGL hears nothing
  const Outcome forced = still({"--renderer", "gl"});
  EXPECT_EQ(forced.status, 1);
  EXPECT_EQ(lines_of(forced.err).size(), 1u) << forced.err;
}

TEST_F(Driver, ThatHangsLeavesOrDrawsNothing) {
  make_run();
  be_bad("leaves");
  expect_drawn_by_cpu(still(), "still.png", "ends the program when it draws");
  fs::remove_all(path("cache"));
  be_bad("nothing");
  expect_drawn_by_cpu(still(), "still.png", "shows no points");
  fs::remove_all(path("cache"));
  be_bad("hangs");
  setenv("FIRN_DRIVER_SECONDS", "4", 1);
  expect_drawn_by_cpu(still(), "still.png", "hangs");
}

// The driver changes its ways in secret: whoever asks again hears what was found before.
TEST_F(Driver, IsTriedOnce) {
  make_run();
  be_bad("dies");
  expect_drawn_by_cpu(still(), "still.png", "SIGILL");
  be_bad("hangs");
  expect_drawn_by_cpu(still(), "still.png", "SIGILL");
  be_bad("leaves");
  for (const fs::path& file : fs::directory_iterator(path("cache"))) fs::resize_file(file, 20);
  expect_drawn_by_cpu(still(), "still.png", "ends the program");
  be_bad("dies");
  setenv("FIRN_CACHE", "/proc/nowhere", 1);
  expect_drawn_by_cpu(still(), "still.png", "SIGILL");
  // Without the library it is another driver.
  FIRN_NEEDS_OPENGL();
  be_good();
  setenv("FIRN_CACHE", path("cache").c_str(), 1);
  const Outcome good = still();
  EXPECT_EQ(good.status, 0);
  EXPECT_EQ(good.err, "");
}

TEST_F(Driver, ThatDiesShowsNoWindowAndSaysSo) {
  NEEDS_DISPLAY();
  for (const char* how : {"dies", "leaves", "nothing"}) {
    EXPECT_EQ(view(how), 1) << how;
    const std::string said = content(path("said"));
    EXPECT_EQ(lines_of(said).size(), 1u) << said;
    EXPECT_NE(said.find("OpenGL cannot be used"), std::string::npos) << said;
    EXPECT_NE(said.find("firn render"), std::string::npos) << said;
  }
}

// What `make demo` does, with fewer frames.
TEST_F(Driver, ThatDiesStillLeavesTheDemoItsFilm) {
  const std::string demo =
      std::string("cd " FIRN_SOURCE_DIR " && tools/demo.sh " FIRN_PROGRAM " ") +
      path("demo").string() + " --frames 1 --set /grid/spacing=0.1 > " + path("said").string() +
      " 2>&1";
  be_bad("dies");
  EXPECT_EQ(system(demo.c_str()), 0) << content(path("said"));
  EXPECT_EQ(pictures_in(path("demo/demo.mp4")), 2);
  EXPECT_TRUE(fs::exists(path("demo/demo.png")));
  be_good();
  EXPECT_EQ(system(demo.c_str()), 0) << content(path("said"));
  EXPECT_EQ(pictures_in(path("demo/demo.mp4")), 2);
}

}  // namespace
}  // namespace firn::test
