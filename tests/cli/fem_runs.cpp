// Runs of meshed solids: the same bytes for any number of threads and after interruptions, and
// frames that show meshes.
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "frames/ply.h"
#include "program.h"

namespace firn::test {
namespace {

// Two steps back, damping, relaxation, cells of second order, contact between bodies, friction,
// a penalty, what sticks: everything that a step leaves behind.
const char* const kPile = R"({
  "solver": {"type": "fem", "self_collision": {"friction": 0.3}}, "fps": 24, "frames": 6,
  "grid": {"spacing": 0.1}, "integrator": {"type": "optimization", "scheme": "bdf2"},
  "materials": {
    "rubber": {"model": "fixed_corotated", "youngs_modulus": 2e4, "damping": {"stiffness": 0.01}},
    "goo": {"model": "viscoelastic"}},
  "objects": [
    {"name": "block", "material": "rubber", "density": 1000, "mesh": {"edge": 0.2},
     "shape": {"type": "box", "size": [0.5, 0.4, 0.5], "center": [0, 0.21, 0]}},
    {"name": "ball", "material": "rubber", "density": 1000, "mesh": {"edge": 0.125, "order": 2},
     "shape": {"type": "ball", "radius": 0.2, "center": [0.05, 0.65, 0]}, "velocity": [0, -1, 0]},
    {"name": "drop", "material": "goo", "density": 1000, "mesh": {"edge": 0.1},
     "shape": {"type": "ball", "radius": 0.15, "center": [0.55, 0.27, 0]}, "velocity": [0, -1, 0]}],
  "colliders": [
    {"name": "floor", "shape": {"type": "plane"}, "friction": 0.5},
    {"name": "arm", "shape": {"type": "ball", "radius": 0.1, "center": [-0.4, 0.2, 0]},
     "method": "penalty", "friction": 0.4,
     "motion": {"keyframes": [{"time": 0}, {"time": 1, "translation": [0.5, 0, 0]}]}},
    {"name": "glue", "contact": "sticky",
     "shape": {"type": "box", "size": [0.2, 0.2, 1], "center": [0.55, 0, 0]}}]
})";

class FemRuns : public ProgramTest {
 protected:
  std::string scene_ = write("pile.json", kPile);

  void run(const std::string& folder, std::vector<std::string> more) {
    more.insert(more.begin(), {"run", scene_, "--out", folder});
    const Outcome outcome = firn(more);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
  }
  int last_frame(const std::string& folder) {
    int last = -1;
    for (const std::string& name : files_below(path(folder + "/frames"))) last += name[0] == 'f';
    return last;
  }
};

TEST_F(FemRuns, AreTheSameBytesForAnyNumberOfThreads) {
  for (const std::string threads : {"1", "2", "3"})
    run(threads, {"--threads", threads, "--format", "ply,vtu"});
  expect_same_frames(path("1"), path("2"));
  expect_same_frames(path("1"), path("3"));
}

TEST_F(FemRuns, InSinglePrecisionToo) {
  for (const std::string threads : {"1", "2"})
    run(threads, {"--threads", threads, "--precision", "float", "--frames", "3"});
  expect_same_frames(path("1"), path("2"));
  run("2", {"--resume", "--frames", "5"});
  run("3", {"--precision", "float", "--frames", "5"});
  expect_same_frames(path("2"), path("3"));
}

TEST_F(FemRuns, ResumeExactly) {
  run("whole", {});
  for (const char* to : {"1", "3", "6"}) run("parts", {"--frames", to, "--resume"});
  expect_same_frames(path("whole"), path("parts"));
}

TEST_F(FemRuns, InterruptedTheyResumeExactly) {
  const pid_t process = start({"run", scene_, "--out", "a", "--frames", "100000"});
  ASSERT_TRUE(wait_until_exists(path("a/frames/frame_0002.ply"), process));
  kill(process, SIGINT);
  const Outcome stopped = wait_for(process);
  EXPECT_EQ(stopped.status, 130);
  EXPECT_EQ(stopped.err, "");
  expect_whole_run(path("a"), last_frame("a"));
  const std::string last = std::to_string(last_frame("a") + 2);
  run("a", {"--resume", "--frames", last});
  run("b", {"--frames", last});
  expect_same_frames(path("a"), path("b"));
}

// The first step of this one takes minutes.
TEST_F(FemRuns, AStepCanBeInterrupted) {
  const std::string tangle = write("tangle.json", R"({
    "solver": "fem", "fps": 24, "frames": 6, "gravity": [0, 0, 0], "grid": {"spacing": 0.02},
    "integrator": {"type": "optimization", "max_newton": 10000, "tolerance": 1e-9},
    "materials": {"rubber": {"model": "fixed_corotated", "youngs_modulus": 1e4}},
    "objects": [{"material": "rubber", "density": 1000, "start": "random",
                 "shape": {"type": "box", "size": [1, 1, 1]}, "mesh": {"edge": 0.04}}]})");
  const pid_t process = start({"run", tangle, "--out", "a"});
  ASSERT_TRUE(wait_until_exists(path("a/frames/frame_0000.ply"), process));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  kill(process, SIGINT);
  const auto asked = std::chrono::steady_clock::now();
  const Outcome stopped = wait_for(process);
  EXPECT_LT(std::chrono::steady_clock::now() - asked, std::chrono::seconds(20));
  EXPECT_EQ(stopped.status, 130) << stopped.err;
  expect_whole_run(path("a"), 0);
}

TEST_F(FemRuns, FramesAreMeshes) {
  run("a", {"--frames", "2", "--format", "ply,vtu"});
  const Result<Frame> frame = read_ply(path("a/frames/frame_0002.ply"));
  ASSERT_TRUE(frame) << frame.errors().front();
  ASSERT_EQ(frame->meshes.size(), 3u);
  EXPECT_EQ(frame->meshes[1].name, "ball");
  for (const FrameMesh& mesh : frame->meshes) EXPECT_GT(mesh.triangles.size(), 3u * 20);
  const std::string vtu = content(path("a/frames/frame_0002.vtu"));
  for (const char* name : {"\"velocity\"", "\"det_F\"", "\"von_mises\"", "\"stress\"", "\"mesh\""})
    EXPECT_NE(vtu.find(name), std::string::npos) << name;
  // The cells of a frame are a mesh to start from.
  const Outcome again = firn({"tetmesh", write("again.json", R"({
      "solver": "fem", "grid": {"spacing": 0.1}, "materials": {"rubber": {"model": "hencky"}},
      "objects": [{"name": "all", "material": "rubber",
                   "mesh": {"type": "file", "file": "a/frames/frame_0002.vtu"}}]})"),
                              "--object", "all", "-o", "all.msh"});
  EXPECT_EQ(again.status, 0) << again.err;
}

// What formats need beyond what frames had: it follows from the places of nodes.
TEST_F(FemRuns, FormatsAndFieldsMayBeAddedLater) {
  run("a", {"--frames", "2"});
  run("a", {"--resume", "--frames", "3", "--format", "ply,bgeo", "--set",
            "/output/fields=[\"velocity\",\"det_F\",\"stress\"]"});
  const Result<Frame> frame = read_ply(path("a/frames/frame_0003.ply"));
  ASSERT_TRUE(frame) << frame.errors().front();
  const std::vector<float> J = frame->as_float("det_F");
  ASSERT_EQ(J.size(), frame->count);
  EXPECT_NE(*std::min_element(J.begin(), J.end()), 1.f);
}

TEST_F(FemRuns, ThePackRunsTheSame) {
  run("a", {"--frames", "3"});
  ASSERT_EQ(firn({"pack", scene_, "-o", "pile.firnpack"}).status, 0);
  const Outcome packed = engine(
      {"run", "pile.firnpack", "--frames", "3", "--precision", "double", "--points", "points.ply"});
  ASSERT_EQ(packed.status, 0) << packed.err;
  const Result<Frame> frame = read_ply(path("a/frames/frame_0003.ply")),
                      points = read_ply(path("points.ply"));
  ASSERT_TRUE(frame && points);
  for (const char* axis : {"x", "y", "z"}) EXPECT_EQ(frame->as_float(axis), points->as_float(axis));
}

}  // namespace
}  // namespace firn::test
