// The program with --device cuda, on machines that have one: frames, checkpoints and benchmarks.
#include "cuda/device.h"

#include <cmath>
#include <csignal>
#include <map>

#include "base/vec.h"
#include "frames/ply.h"
#include "program.h"

namespace firn::test {
namespace {

class CudaProgramTest : public ProgramTest {
 protected:
  void SetUp() override {
    const auto name = device_name();
    if (!name) GTEST_SKIP() << name.errors().front();
  }
  Outcome run(const std::string& out, int frames, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {
        "run", scene_, "--out", out, "--quiet", "--frames", std::to_string(frames)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return firn(arguments);
  }
  // Positions by id, in a frame in double precision.
  std::map<double, Vec3d> positions(const std::string& run, int frame) {
    char name[64];
    std::snprintf(name, sizeof name, "/frames/frame_%04d.ply", frame);
    const auto table = read_ply(path(run + name));
    EXPECT_TRUE(table.ok()) << (table ? "" : table.errors().front());
    std::map<double, Vec3d> places;
    if (!table) return places;
    const auto id = table->as_double("id"), x = table->as_double("x"), y = table->as_double("y"),
               z = table->as_double("z");
    for (std::size_t i = 0; i < id.size(); ++i) places[id[i]] = {{x[i], y[i], z[i]}};
    return places;
  }
  void expect_near(const std::string& a, const std::string& b, int frame, double tolerance) {
    const auto first = positions(a, frame), second = positions(b, frame);
    ASSERT_EQ(first.size(), second.size());
    ASSERT_GT(first.size(), 100u);
    double farthest = 0;
    for (const auto& [id, x] : first) {
      ASSERT_TRUE(second.count(id)) << id;
      const Vec3d way = x - second.at(id);
      farthest = std::max(farthest, std::sqrt(dot(way, way)));
    }
    EXPECT_LT(farthest, tolerance) << "m, " << a << " and " << b << " at frame " << frame;
  }

  std::string scene_ = test_scene("mixed_3d.json");
};

const std::vector<std::string> kCpu = {"--precision", "double"},
                               kCuda = {"--precision", "double", "--device", "cuda"};

std::vector<std::string> resumed(std::vector<std::string> arguments) {
  arguments.push_back("--resume");
  return arguments;
}

// Frames hold positions as 32-bit numbers.
constexpr double kRounding = 1e-6;

TEST_F(CudaProgramTest, RunsLikeTheCpu) {
  ASSERT_EQ(run("cpu", 2, kCpu).status, 0);
  const Outcome outcome = run("cuda", 2, kCuda);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  expect_whole_run(path("cuda"), 2);
  expect_near("cpu", "cuda", 2, kRounding);
}

TEST_F(CudaProgramTest, EitherDeviceGoesOnWhereTheOtherStopped) {
  ASSERT_EQ(run("whole", 4, kCpu).status, 0);
  for (const bool cpu_first : {true, false}) {
    const std::string name = cpu_first ? "cpu_then_cuda" : "cuda_then_cpu";
    ASSERT_EQ(run(name, 2, cpu_first ? kCpu : kCuda).status, 0);
    const Outcome outcome = run(name, 4, resumed(cpu_first ? kCuda : kCpu));
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    expect_whole_run(path(name), 4);
    expect_near("whole", name, 4, kRounding);
  }
}

TEST_F(CudaProgramTest, DeterministicRunsAreTheSameBytes) {
  const std::vector<std::string> arguments = {"--device", "cuda", "--deterministic"};
  ASSERT_EQ(run("a", 3, arguments).status, 0);
  ASSERT_EQ(run("b", 3, arguments).status, 0);
  ASSERT_EQ(run("c", 1, arguments).status, 0);
  ASSERT_EQ(run("c", 3, resumed(arguments)).status, 0);
  expect_same_frames(path("a"), path("b"));
  expect_same_frames(path("a"), path("c"));
}

TEST_F(CudaProgramTest, EmittersSinksAndMovingBodies) {
  scene_ = test_scene("flow_2d.json");
  ASSERT_EQ(run("cpu", 2, kCpu).status, 0);
  const Outcome outcome = run("cuda", 2, kCuda);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  expect_near("cpu", "cuda", 2, kRounding);
}

TEST_F(CudaProgramTest, SpeciesRunAndGoOnLikeOnTheCpu) {
  scene_ = test_scene("species_2d.json");
  ASSERT_EQ(run("cpu", 3, kCpu).status, 0);
  ASSERT_EQ(run("cuda", 3, kCuda).status, 0);
  expect_near("cpu", "cuda", 3, kRounding);
  ASSERT_EQ(run("both", 1, kCuda).status, 0);
  ASSERT_EQ(run("both", 2, resumed(kCpu)).status, 0);
  ASSERT_EQ(run("both", 3, resumed(kCuda)).status, 0);
  expect_near("cpu", "both", 3, kRounding);
}

TEST_F(CudaProgramTest, MixturesRunAndGoOnLikeOnTheCpu) {
  scene_ = test_scene("species_2d.json");
  const auto mixed = [](std::vector<std::string> arguments) {
    for (const char* more :
         {"--set", "/porous/coupling=mixture", "--set", "/porous/pairs/0/conductivity=0.05",
          "--set", "/output/fields=[\"velocity\", \"phi\"]"})
      arguments.push_back(more);
    return arguments;
  };
  ASSERT_EQ(run("cpu", 3, mixed(kCpu)).status, 0);
  const Outcome outcome = run("cuda", 3, mixed(kCuda));
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  expect_near("cpu", "cuda", 3, kRounding);
  ASSERT_EQ(run("both", 1, mixed(kCuda)).status, 0);
  ASSERT_EQ(run("both", 2, resumed(mixed(kCpu))).status, 0);
  ASSERT_EQ(run("both", 3, resumed(mixed(kCuda))).status, 0);
  expect_near("cpu", "both", 3, kRounding);
}

TEST_F(CudaProgramTest, AnInterruptedRunGoesOn) {
  const std::string long_run = test_scene("mixed_3d.json");
  const pid_t process =
      start({"run", long_run, "--out", "a", "--quiet", "--device", "cuda", "--frames", "100000"});
  ASSERT_TRUE(wait_until_exists(path("a/frames/frame_0002.ply"), process));
  kill(process, SIGINT);
  EXPECT_EQ(wait_for(process).status, 130);
  const int frames = static_cast<int>(files_below(path("a/frames")).size());
  ASSERT_EQ(run("a", frames + 1, {"--device", "cuda", "--resume"}).status, 0);
  expect_whole_run(path("a"), frames + 1);
}

TEST_F(CudaProgramTest, BenchesTheDevice) {
  const Outcome outcome =
      firn({"bench", "--device", "cuda", "drop_sand", "drop_fluid", "--particles", "20000"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE((outcome.out + outcome.err).find(*device_name()), std::string::npos)
      << outcome.out << outcome.err;
}

TEST_F(CudaProgramTest, GrainsFollowOnTheDeviceAndFromACheckpoint) {
  scene_ = write("sand.json", R"({
      "dimension": 3, "frames": 3, "fps": 50, "grid": {"spacing": 0.05}, "solver": {"type": "sph"},
      "materials": {"dry": {"model": "sand", "friction_angle": 30}},
      "objects": [{"name": "block", "material": "dry", "density": 1500,
                   "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "center": [0, 0.11, 0]}}],
      "colliders": [{"name": "floor", "shape": {"type": "plane", "point": [0, 0, 0]},
                     "friction": 0.5}],
      "grains": {"per_particle": 14}})");
  ASSERT_EQ(run("a", 3, kCuda).status, 0);
  ASSERT_EQ(run("b", 1, kCuda).status, 0);
  ASSERT_EQ(run("b", 3, resumed(kCuda)).status, 0);
  EXPECT_EQ(content(path("a/frames/grains_0003.ply")), content(path("b/frames/grains_0003.ply")));
}

}  // namespace
}  // namespace firn::test
