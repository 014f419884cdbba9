// Granular SPH in the window: pace, edits while it runs, graphs, and grains in place of particles,
// of a scene and of a run.
#include <gtest/gtest.h>

#include <cstdlib>

#include "../unit/test_folder.h"
#include "driver.h"
#include "run/run.h"
#include "scene_io/scene_document.h"
#include "scene_io/scene_reader.h"

namespace firn::viewer {
namespace {

constexpr const char* kScene = R"j({
  "name": "heap", "solver": "sph", "dimension": 3, "fps": 50, "frames": 60,
  "grid": {"spacing": 0.08}, "materials": {"sand": {"model": "sand", "friction_angle": 32}},
  "objects": [{"name": "column", "material": "sand", "density": 1500,
               "shape": {"type": "box", "min": [-0.12, 0, -0.12], "max": [0.12, 0.4, 0.12]}}],
  "colliders": [{"name": "floor", "friction": 0.5, "shape": {"type": "plane"}},
                {"name": "gate", "shape": {"type": "ball", "radius": 0.1, "center": [0.4, 0.1, 0]},
                 "motion": {"translation": [0, "t", 0]}}],
  "air": {"velocity": [1, 0, 0]}, "grains": {"per_particle": 20},
  "view": {"look": {"ambient_occlusion": false}}
})j";

class Granular : public ::testing::Test {
 protected:
  // Screenshots for the handbook are worth a larger window and more particles.
  Granular()
      : folder_("viewer_granular"),
        driver_(for_handbook() ? 1280 : 1100, for_handbook() ? 800 : 700) {}
  static bool for_handbook() { return std::getenv("FIRN_SCREENSHOTS") != nullptr; }
  void SetUp() override {
    if (!driver_.works()) GTEST_SKIP() << driver_.problem();
    const auto text = apply_override(kScene, for_handbook() ? "/grid/spacing=0.04" : "/seed=1");
    ASSERT_TRUE(text.ok());
    text_ = *text;
    scene_ = folder_.write("heap.json", text_).string();
  }
  void open(const std::string& path) {
    ASSERT_TRUE(driver_.open(path));
    driver_.frame(5);
    particles_ = driver_.app().viewport().shown()->points->count;
    ASSERT_GT(particles_, 300u);
    grains_ = 20 * particles_;
  }
  // A run of the scene, as `firn run` leaves it.
  std::string run() {
    RunOptions options;
    const Result<SceneSettings> scene = read_scene(scene_);
    EXPECT_TRUE(scene.ok());
    options.scene = *scene;
    options.scene_file = scene_;
    options.frames = 6;
    options.folder = folder_.path() / "run";
    options.program = "test";
    RunControl control;
    EXPECT_EQ(run_into_folder(options, control, [](const RunProgress&) {}).status,
              RunStatus::finished);
    return options.folder.string();
  }
  Workspace& work() { return driver_.work(); }
  std::int64_t frame() { return work().session_frame ? work().session_frame->stats.frame : -1; }
  bool shows(std::size_t points) {
    return driver_.wait_for([&] {
      const auto& view = driver_.app().viewport();
      return view.shown() && view.shown()->points->count == points && view.ready();
    });
  }
  void expect_in_effect(const std::string& pointer) {
    EXPECT_TRUE(driver_.wait_for([&] {
      return work().status.words.find(pointer + ": in effect") != std::string::npos;
    })) << pointer
        << ": " << work().status.words;
  }
  // To look at, where a folder is given.
  void screenshot(const std::string& name) {
    driver_.move_mouse(500, 150);  // no tip in front of it
    if (const char* folder = std::getenv("FIRN_SCREENSHOTS"))
      driver_.screenshot(std::filesystem::path(folder) / ("viewer_" + name + ".png"));
  }

  TestFolder folder_;
  Driver driver_;
  std::string scene_, text_;
  std::size_t particles_ = 0, grains_ = 0;  // of the scene or run that was opened
};

TEST_F(Granular, WhatAUserSteersIsEditedWhileItRuns) {
  open(scene_);
  driver_.click("toolbar/play");
  ASSERT_TRUE(driver_.wait_for([&] { return frame() >= 2; }));
  const auto edit = [&](const std::string& pointer, const char* value) {
    driver_.type(pointer, value, true);
    expect_in_effect(pointer);
  };
  driver_.click("tab/Simulation");
  edit("/solver/tolerance", "0.01");
  edit("/solver/max_iterations", "50");
  edit("/integrator/max_dt", "0.004");
  driver_.click("tab/Materials");
  driver_.click("/materials/sand");
  edit("/materials/sand/friction_angle", "25");
  driver_.click("tab/Scene");
  edit("/gravity/1", "-5");
  driver_.click("/air");
  edit("/air/density", "2");
  edit("/air/drag_coefficient", "1");
  driver_.click("/objects/0");
  edit("/objects/0/density", "3000");
  // The session runs with all of it, and never went back to the start.
  ASSERT_TRUE(
      driver_.wait_for([&] { return work().session_frame->scene->objects[0].density == 3000; }));
  const SceneSettings& running = *work().session_frame->scene;
  EXPECT_EQ(running.sph.tolerance, 0.01);
  EXPECT_EQ(running.air->density, 2);
  EXPECT_EQ(running.gravity[1].value, -5);
  EXPECT_NEAR(work().session_frame->stats.mass, 3000 * 0.24 * 0.4 * 0.24, 0.01);
  EXPECT_GE(frame(), 2);
  EXPECT_FALSE(work().status.waits_for_reset);
  screenshot("granular");
}

TEST_F(Granular, PlaysAtThePaceOfTheClock) {
  open(scene_);
  EXPECT_FALSE(work().keeps_real_time());
  EXPECT_EQ(driver_.app().items().find("toolbar/pace"), nullptr);
  driver_.click("toolbar/real time");
  EXPECT_EQ(work().document.scene().view.speed, 1);
  EXPECT_EQ(work().pace().speed, 1);
  driver_.click("toolbar/play");
  EXPECT_TRUE(driver_.wait_for([&] { return work().played_pace() > 0; }));
  driver_.frame(2);
  EXPECT_NE(driver_.app().items().find("toolbar/pace"), nullptr);
  screenshot("pace");
  driver_.press('T');
  EXPECT_EQ(work().document.scene().view.speed, 0);
  // A scene may ask for it, and no machine is that fast.
  driver_.click("tab/Simulation");
  driver_.type("simulation/speed", "100", true);
  EXPECT_EQ(work().document.scene().view.speed, 100);
  EXPECT_TRUE(driver_.wait_for([&] { return work().falls_behind(); }));
}

TEST_F(Granular, GraphsShowWhatTheSolverDoes) {
  open(scene_);
  driver_.click("toolbar/play");
  ASSERT_TRUE(driver_.wait_for([&] { return frame() >= 3; }));
  driver_.click("tab/Graphs");
  driver_.frame(3);
  screenshot("graphs");
  for (const char* graph :
       {"iterations a step", "mean density error, %", "max density error, %", "neighbours, ms",
        "walls, ms", "density, ms", "air, ms", "stress, ms", "shift, ms", "move, ms", "grains, ms"})
    EXPECT_NE(driver_.app().items().find(std::string("graphs/") + graph), nullptr) << graph;
}

TEST_F(Granular, GrainsAreShownInPlaceOfParticles) {
  open(scene_);
  driver_.click("toolbar/grains");
  ASSERT_TRUE(shows(grains_));
  driver_.click("toolbar/frame");
  ASSERT_TRUE(driver_.wait_for([&] { return driver_.app().viewport().shown()->frame == 1; }));
  ASSERT_TRUE(shows(grains_));
  EXPECT_EQ(driver_.app().viewport().words(), "");
  EXPECT_EQ(driver_.app().viewport().shown()->points->bodies.size(), 1u);
  screenshot("grains");
  // They have no pressure: their own colours, and a word on it.
  work().document.scene().view.color_by = "pressure";
  work().document.touch();
  EXPECT_TRUE(driver_.wait_for([&] { return !driver_.app().viewport().words().empty(); }));
  ASSERT_TRUE(shows(grains_));
  driver_.press('G');
  ASSERT_TRUE(shows(particles_));
}

// Where the scene has no grains, they are made of the particles as they lie.
TEST_F(Granular, ASceneWithoutGrainsGetsThem) {
  open(scene_);
  work().document.scene().grains.reset();
  work().document.touch();
  expect_in_effect("/grains");
  driver_.click("toolbar/frame");
  ASSERT_TRUE(driver_.wait_for([&] { return driver_.app().viewport().shown()->frame == 1; }));
  driver_.press('G');
  ASSERT_TRUE(shows(70 * particles_));
  EXPECT_EQ(frame(), 1);
}

TEST_F(Granular, ARunShowsItsGrainsAndItsGraphs) {
  open(run());
  driver_.click("toolbar/grains");
  ASSERT_TRUE(shows(grains_));
  driver_.press('.');
  work().control.position = 4;
  ASSERT_TRUE(driver_.wait_for([&] { return driver_.app().viewport().shown()->frame == 4; }));
  ASSERT_TRUE(shows(grains_));
  driver_.click("tab/Graphs");
  driver_.frame(3);
  screenshot("run_grains");
  EXPECT_NE(driver_.app().items().find("graphs/max density error, %"), nullptr);
  EXPECT_NE(driver_.app().items().find("graphs/stress, ms"), nullptr);
  driver_.press('G');
  ASSERT_TRUE(shows(particles_));
}

TEST_F(Granular, ARunWithoutGrainsSaysSo) {
  Json plain = Json::parse(text_);
  plain.erase("grains");
  folder_.write("heap.json", plain.dump());
  open(run());
  EXPECT_FALSE(work().may_show_grains());
  driver_.press('G');
  driver_.frame(5);
  EXPECT_TRUE(shows(particles_));
}

}  // namespace
}  // namespace firn::viewer
