// `firn render`: films of the right length, with and without OpenGL, interrupted, and when things
// go wrong.
#include <signal.h>
#include <stdlib.h>

#include "../opengl/driver.h"
#include "../unit/film_probe.h"
#include "program.h"

namespace firn::test {
namespace {

class Render : public ProgramTest {
 protected:
  void make_run(const std::string& frames = "6") {
    const Outcome made =
        firn({"run", test_scene("mixed_2d.json"), "--frames", frames, "--out", "run"});
    ASSERT_EQ(made.status, 0) << made.err;
  }
  Outcome film(std::vector<std::string> more) {
    std::vector<std::string> all{"render", "run", "-o", "film.mp4", "--size", "64x48"};
    all.insert(all.end(), more.begin(), more.end());
    return firn(all);
  }
};

// Sets a variable of the environment while it lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    const char* old = getenv(name);
    if (old) old_ = old, had_ = true;
    setenv(name, value, 1);
  }
  ~Variable() { had_ ? setenv(name_, old_.c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::string old_;
  bool had_ = false;
};

TEST_F(Render, FilmsHaveOnePictureAFrameAndObeySpeedAndRange) {
  FIRN_NEEDS_OPENGL();
  make_run();
  const auto expect = [&](std::vector<std::string> options, int pictures) {
    const Outcome outcome = film(options);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    EXPECT_EQ(pictures_in(path("film.mp4")), pictures) << (options.empty() ? "" : options[0]);
  };
  expect({}, 7);
  expect({"--renderer", "cpu"}, 7);
  expect({"--from", "2", "--to", "4"}, 3);
  expect({"--speed", "2", "--fps", "60"}, 4);  // frames 0, 2, 4, 6 at 60 frames a second
  expect({"--speed", "0.5", "--fps", "60"}, 13);
  expect({"--turntable", "90", "--motion-blur", "3"}, 7);
}

TEST_F(Render, WithoutOpenGlTheCpuDrawsAndSaysSo) {
  make_run("1");
  for (const auto& [name, value] :
       {std::pair("FIRN_NO_GL", "1"), std::pair("__EGL_VENDOR_LIBRARY_FILENAMES", "/dev/null"),
        std::pair("MESA_GL_VERSION_OVERRIDE", "2.1")}) {
    const Variable off(name, value);
    const Outcome outcome = film({});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    ASSERT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
    EXPECT_NE(outcome.err.find("drawing with the CPU renderer"), std::string::npos);
    EXPECT_EQ(pictures_in(path("film.mp4")), 2);
    EXPECT_EQ(film({"--renderer", "gl"}).status, 1);
    EXPECT_EQ(film({"--renderer", "cpu"}).err, "");
  }
}

TEST_F(Render, DamagedFramesAreLeftOutWithAWarning) {
  make_run("4");
  fs::resize_file(path("run/frames/frame_0002.ply"), 100);
  fs::remove(path("run/frames/frame_0003.ply"));
  const Outcome outcome = film({});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("frame_0002.ply"), std::string::npos);
  EXPECT_EQ(pictures_in(path("film.mp4")), 3);
}

TEST_F(Render, AnInterruptedFilmCanBePlayed) {
  make_run("60");
  const pid_t process = start({"render", "run", "-o", "film.mp4", "--size", "1280x720"});
  for (int i = 0; i < 400 && output_of("ls -A '" + path("").string() + "' | grep -c tmp-") == "0\n";
       ++i)
    usleep(10'000);
  usleep(700'000);
  kill(process, SIGINT);
  const Outcome outcome = wait_for(process);
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  ASSERT_TRUE(fs::exists(path("film.mp4"))) << outcome.err;
  const int pictures = pictures_in(path("film.mp4"));
  EXPECT_GT(pictures, 0);
  EXPECT_LT(pictures, 61);
}

TEST_F(Render, FilmsAreMadeWhileTheSceneRuns) {
  const Outcome outcome = firn({"render", test_scene("mixed_2d.json"), "--frames", "5", "--live",
                                "-o", "film.mp4", "--size", "64x48"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(pictures_in(path("film.mp4")), 6);
  EXPECT_EQ(firn({"render", test_scene("mixed_2d.json"), "--live", "-o", "a.png"}).status, 2);
}

TEST_F(Render, WithoutFfmpegOrRoomOneSentence) {
  make_run("2");
  {
    const Variable nothing("PATH", path("").c_str());
    const Outcome outcome = film({});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
    EXPECT_NE(outcome.err.find("ffmpeg"), std::string::npos);
  }
  std::vector<std::string> arguments{"render", "run", "-o", "film.mp4", "--size", "640x480"};
  Limits limits;
  limits.file_bytes = 2000;
  const Outcome full = firn(arguments, limits);
  EXPECT_EQ(full.status, 1) << full.err;
  EXPECT_GE(lines_of(full.err).size(), 1u);
  EXPECT_FALSE(fs::exists(path("film.mp4")));
}

TEST_F(Render, StylesSlicesAndSmallPictures) {
  FIRN_NEEDS_OPENGL();
  make_run("1");
  for (const char* style : {"points", "spheres", "icosahedra", "mesh"})
    EXPECT_EQ(firn({"render", "run", "-o", "a.png", "--size", "40x30", "--style", style}).status, 0)
        << style;
  EXPECT_EQ(firn({"render", "run", "-o", "a.png", "--size", "1x1"}).status, 0);
  EXPECT_EQ(firn({"render", "run", "-o", "a.mp4", "--size", "1x1"}).status, 1);
  EXPECT_EQ(firn({"render", "run", "-o", "a.png", "--slice", "velocity_y"}).status, 0);
  const Outcome wrong = firn({"render", "run", "-o", "a.png", "--slice", "velocty"});
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.err.find("did you mean \"velocity\"?"), std::string::npos) << wrong.err;
  EXPECT_EQ(firn({"render", "run", "--camera", "nowhere"}).status, 2);
}

}  // namespace
}  // namespace firn::test
