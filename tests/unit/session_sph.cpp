// Granular SPH edited while it runs: each edit acts in the very next step, on the CPU and, where
// there is one, on the device. Fine grains that come and go.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "cuda/device.h"
#include "session/runner.h"
#include "session_common.h"

namespace firn {
namespace {

// A bed of sand that fills a box of width 0.4 m to 0.2 m.
constexpr const char* kBed = R"j({
  "solver": "sph", "dimension": 2, "fps": 50, "frames": 100, "grid": {"spacing": 0.05},
  "materials": {"sand": {"model": "sand", "friction_angle": 35}},
  "objects": [
    {"name": "left", "density": 1500, "shape": {"type": "box", "min": [-0.2, 0], "max": [0, 0.2]},
     "material": "sand"},
    {"name": "right", "density": 1500, "shape": {"type": "box", "min": [0, 0], "max": [0.2, 0.2]},
     "material": "sand"}],
  "colliders": [
    {"name": "floor", "friction": 0.5, "shape": {"type": "plane", "point": [0, 0]}},
    {"name": "west", "shape": {"type": "plane", "point": [-0.2, 0], "normal": [1, 0]}},
    {"name": "east", "shape": {"type": "plane", "point": [0.2, 0], "normal": [-1, 0]}}]})j";

// One particle and nothing around.
constexpr const char* kLone = R"j({
  "solver": "sph", "dimension": 2, "fps": 50, "frames": 100, "grid": {"spacing": 0.05},
  "gravity": [0, 0], "integrator": {"fixed_dt": 0.002},
  "materials": {"sand": {"model": "sand"}},
  "objects": [{"name": "grain", "density": 1500, "material": "sand",
               "shape": {"type": "box", "min": [0, 0], "max": [0.025, 0.025]}}]})j";

class EditedSph : public ::testing::TestWithParam<Device> {
 protected:
  void SetUp() override {
    if (GetParam() == Device::cuda && !device_name()) GTEST_SKIP() << device_name().errors()[0];
    ASSERT_TRUE(runner_.set_device(GetParam()).empty());
  }
  void open(const char* scene, const Lines& changes = {}) {
    text_ = scene;
    changes_ = changes;
    ASSERT_EQ(runner_.open(scene_with(changes_, text_), "s.json"), Errors{});
  }
  // On top of what was edited before.
  void edit(const std::string& change) {
    changes_.push_back(change);
    const EditReport report = runner_.edit(scene_with(changes_, text_));
    EXPECT_EQ(report.errors, Errors{});
    EXPECT_EQ(report.verdict.effect, EditEffect::at_once) << report.words;
  }
  // What the step left.
  FrameStats step() {
    EXPECT_TRUE(runner_.step().ok());
    return runner_.picture({})->stats;
  }
  FrameStats frames(int count) {
    const std::atomic<bool> never{false};
    for (int i = 0; i < count; ++i) EXPECT_TRUE(runner_.run_frame(never).ok());
    return runner_.picture({})->stats;
  }
  double newest_dt() { return runner_.picture({})->dt; }
  double floor_load() { return -runner_.picture({})->stats.colliders[0].force[1]; }

  Runner runner_;
  const char* text_ = kBed;
  Lines changes_;
};

TEST_P(EditedSph, Gravity) {
  open(kLone);
  step();
  edit("/gravity=[3,0]");
  const FrameStats stats = step();
  EXPECT_NEAR(stats.momentum[0] / stats.mass, 3 * 0.002, 1e-8);
}

// The particles stay where they are, with another mass.
TEST_P(EditedSph, DensityOfAnObject) {
  open(kBed);
  frames(10);
  const double before = floor_load(), weight = 1500 * 0.4 * 0.2 * 9.81;
  EXPECT_NEAR(before, weight, 0.03 * weight);
  const auto still = runner_.picture({"id", "velocity"});
  edit("/objects/1/density=4500");
  const auto changed = runner_.picture({"id", "velocity"});
  expect_same_points(still->points, changed->points);
  EXPECT_NEAR(changed->stats.mass, 2 * still->stats.mass, 1e-6 * still->stats.mass);
  const auto points = runner_.picture({"mass"})->points;  // by id, object by object
  const auto masses = points.as_float("mass");
  const std::size_t first = std::stoul(points.metadata.at("objects"));  // of the second object
  EXPECT_NEAR(masses[0], 1500 * 0.04 / static_cast<double>(first), 1e-5);
  EXPECT_NEAR(masses[first], 4500 * 0.04 / static_cast<double>(masses.size() - first), 1e-5);
  frames(1);
  EXPECT_NEAR(floor_load(), 2 * weight, 0.06 * weight);
  edit("/objects/1/density=1500");
  EXPECT_NEAR(step().mass, still->stats.mass, 1e-5 * still->stats.mass);
}

// A bed whose side walls go keeps its shape nearly, until it has no friction any more.
TEST_P(EditedSph, FrictionAngle) {
  open(kBed, {"/materials/sand/cohesion=2000"});
  frames(5);
  edit("/colliders=[{\"friction\": 0.5, \"shape\": {\"type\": \"plane\"}}]");
  EXPECT_LT(frames(3).max_speed, 0.05);
  edit("/materials/sand/cohesion=0");
  edit("/materials/sand/friction_angle=0");
  EXPECT_GT(frames(3).max_speed, 0.4);
}

// u' = u - dt k u'^2 with u what the air passes the grain by.
TEST_P(EditedSph, Air) {
  open(kLone);
  step();
  double speed = 0;
  const auto expect_after_step = [&](double wind, double drag) {
    const double dt = 0.002, u = wind - speed;
    const double left = (std::sqrt(1 + 4 * dt * drag * u) - 1) / (2 * dt * drag);
    speed = wind - left;
    const FrameStats stats = step();
    EXPECT_NEAR(stats.momentum[0] / stats.mass, speed, 1e-4 * speed);
  };
  const double drag = 0.75 * 0.47 * 1.2 / (1500 * 5e-4);
  edit("/air={\"velocity\": [8, 0]}");
  expect_after_step(8, drag);
  edit("/air/velocity=[20,0]");
  expect_after_step(20, drag);
  edit("/air/drag_coefficient=0.94");
  expect_after_step(20, 2 * drag);
  edit("/air/density=3.6");
  expect_after_step(20, 6 * drag);
  edit("/objects/0/density=3000");  // of the grain, too
  expect_after_step(20, 3 * drag);
}

TEST_P(EditedSph, ToleranceAndIterations) {
  open(kBed, {"/integrator/fixed_dt=0.004"});
  frames(8);
  const auto iterations = [&] {
    const std::int64_t before =
        runner_.picture({})->stats.steps < 5 ? runner_.picture({})->stats.grains->iterations : 0;
    return step().grains->iterations - before;
  };
  const std::int64_t loose = iterations();
  edit("/solver/tolerance=1e-7");
  EXPECT_GT(iterations(), loose);
  edit("/solver/max_iterations=3");
  EXPECT_LE(iterations(), 3);
}

TEST_P(EditedSph, TimeStep) {
  open(kLone);
  step();
  EXPECT_NEAR(newest_dt(), 0.002, 1e-9);
  edit("/integrator/fixed_dt=0.001");
  step();
  EXPECT_NEAR(newest_dt(), 0.001, 1e-9);
  edit("/integrator/fixed_dt=0");
  edit("/integrator/max_dt=0.0005");
  step();
  EXPECT_LE(newest_dt(), 0.0005 + 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Devices, EditedSph, ::testing::Values(Device::cpu, Device::cuda),
                         [](const auto& info) {
                           return info.param == Device::cpu ? "Cpu" : "Cuda";
                         });

// Grains of the particles as they lie, which go on as if nothing had been.
TEST(LiveGrains, ComeAndGoWhileTheSceneRuns) {
  Runner with, without;
  for (Runner* runner : {&with, &without})
    ASSERT_TRUE(runner->open(scene_with({}, kBed), "s.json").empty());
  const std::atomic<bool> never{false};
  const auto play = [&] {
    for (Runner* runner : {&with, &without})
      for (int i = 0; i < 2; ++i) ASSERT_TRUE(runner->run_frame(never).ok());
  };
  const std::vector<std::string> fields{"id", "velocity"};
  const auto grains = [&] { return with.picture(fields, true); };
  play();
  EXPECT_EQ(grains()->per_particle, 0);  // there are none: particles
  const std::size_t particles = grains()->points.count;
  for (const int per : {10, 25}) {
    const Lines change{"/grains={\"per_particle\": " + std::to_string(per) + "}"};
    const EditReport report = with.edit(scene_with(change, kBed));
    EXPECT_EQ(report.verdict.effect, EditEffect::at_once) << report.words;
    EXPECT_EQ(grains()->per_particle, per);
    EXPECT_EQ(grains()->points.count, per * particles);
    // Another edit leaves them as they are.
    const auto before = grains();
    with.edit(scene_with({change[0], "/solver/tolerance=2e-3"}, kBed));
    expect_same_points(grains()->points, before->points);
    with.edit(scene_with(change, kBed));
    play();
    expect_same_points(with.picture(fields)->points, without.picture(fields)->points);
    for (const float y : grains()->points.as_float("y")) {
      EXPECT_GT(y, 0);
      EXPECT_LT(y, 0.22f);
    }
  }
  with.edit(scene_with({}, kBed));
  EXPECT_EQ(grains()->points.count, particles);
}

}  // namespace
}  // namespace firn
