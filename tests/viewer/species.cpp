// Species in the window: the tree that leads to what is of each, pairs edited while the scene runs,
// colours and slices by species.
#include <gtest/gtest.h>

#include <cstdlib>

#include "../unit/test_folder.h"
#include "draw/grid_slice.h"
#include "driver.h"

namespace firn::viewer {
namespace {

constexpr const char* kScene = R"j({
  "name": "wet", "dimension": 2, "grid": {"spacing": 0.05}, "fps": 60, "frames": 40,
  "materials": {"water": {"model": "fluid", "bulk_modulus": 2e4},
                "sand": {"model": "sand", "youngs_modulus": 1e5, "cohesion": "400*(1 - phi)"}},
  "objects": [
    {"name": "bed", "shape": {"type": "rectangle", "min": [-0.5, 0], "max": [0.5, 0.4]},
     "material": "sand", "species": "sand"},
    {"name": "pool", "shape": {"type": "rectangle", "min": [-0.3, 0.2], "max": [0.3, 0.7]},
     "material": "water", "species": "water"}],
  "emitters": [{"name": "tap", "material": "water", "species": "water", "velocity": [0, -1],
                "start": 100, "shape": {"type": "disc", "radius": 0.1, "center": [0, 1.5]}}],
  "colliders": [{"shape": {"type": "plane"}}],
  "porous": {"pairs": [{"solid": "sand", "fluid": "water", "drag": 20}]},
  "view": {"color_by": "phi", "look": {"ambient_occlusion": false}}
})j";

class Species : public ::testing::Test {
 protected:
  Species() : folder_("viewer_species"), driver_(1000, 640) {}
  void SetUp() override {
    if (!driver_.works()) GTEST_SKIP() << driver_.problem();
    ASSERT_TRUE(driver_.open(folder_.write("wet.json", kScene).string()));
    driver_.frame(5);
  }
  Workspace& work() { return driver_.work(); }
  Viewport& view() { return driver_.app().viewport(); }
  std::int64_t frame() { return work().session_frame ? work().session_frame->stats.frame : -1; }
  bool idle() {
    return driver_.wait_for(
        [&] { return work().status.state == SessionState::paused && view().ready(); });
  }
  // To look at, where a folder is given.
  void screenshot(const std::string& name) {
    if (const char* folder = std::getenv("FIRN_SCREENSHOTS"))
      driver_.screenshot(std::filesystem::path(folder) / ("viewer_" + name + ".png"));
  }

  TestFolder folder_;
  Driver driver_;
};

TEST_F(Species, TheTreeLeadsToWhatIsOfEach) {
  driver_.click("tab/Scene");
  driver_.click("species");
  driver_.frame(3);
  screenshot("species_tree");
  const Items& items = driver_.app().items();
  for (const char* line : {"species/sand/objects/0/species", "species/water/objects/1/species",
                           "species/water/emitters/0/species", "species/sand/porous/pairs/0/drag",
                           "species/water/porous/pairs/0/drag"})
    EXPECT_NE(items.find(line), nullptr) << line;
  EXPECT_EQ(items.find("species/sand/objects/1/species"), nullptr);
  driver_.click("species/water/porous/pairs/0/drag");
  driver_.frame(8);
  screenshot("species_pair");
  ASSERT_NE(items.find("/porous/pairs/0/drag"), nullptr);
  EXPECT_TRUE(items.find("/porous/pairs/0/drag")->visible);
}

TEST_F(Species, APairAndAnExpressionAreEditedWhileTheSceneRuns) {
  driver_.click("toolbar/play");
  EXPECT_TRUE(driver_.wait_for([&] { return frame() >= 2; }));
  driver_.click("tab/Scene");
  driver_.app().items().go_to("/porous/pairs/0/drag");
  driver_.frame(8);
  driver_.type("/porous/pairs/0/drag", "345", true);
  EXPECT_TRUE(driver_.wait_for([&] { return work().status.edit > 0; }));
  EXPECT_EQ(work().status.words, "/porous/pairs/0/drag: in effect");
  const auto runs_with = [&](auto condition) {
    return driver_.wait_for(
        [&] { return work().session_frame && condition(*work().session_frame->scene); });
  };
  EXPECT_TRUE(
      runs_with([](const SceneSettings& scene) { return scene.porous->pairs[0].drag == 345; }));
  const std::uint64_t edit = work().status.edit;
  driver_.click("tab/Materials");
  driver_.click("/materials/sand");
  driver_.type("/materials/sand/cohesion", "100*(1 - phi)");
  EXPECT_TRUE(driver_.wait_for([&] { return work().status.edit > edit; }));
  EXPECT_EQ(work().status.words, "/materials/sand/cohesion: in effect");
  EXPECT_TRUE(runs_with([](const SceneSettings& scene) {
    const auto& own = scene.materials[1].expressions;
    return own.size() == 1 && own[0].expression == "100*(1 - phi)";
  }));
}

// Each quantity of each species, and all that can be coloured by.
TEST_F(Species, SlicesAndColoursAreShown) {
  driver_.click("toolbar/frame");
  EXPECT_TRUE(driver_.wait_for([&] { return frame() == 1; }));
  ASSERT_TRUE(idle());
  screenshot("species_phi");
  work().document.scene().view.color_by = "species";
  work().document.touch();
  driver_.frame(5);
  ASSERT_TRUE(idle());
  EXPECT_EQ(view().words(), "");
  screenshot("species_color");
  driver_.click("tab/Look");
  driver_.click("look/slice/header");
  driver_.click("look/slice");
  EXPECT_TRUE(view().slice.shown);
  // The first one comes with the next picture of the particles, which has what slices need.
  EXPECT_TRUE(driver_.wait_for(
      [&] { return view().shown() && view().shown()->points->has("phi") && view().ready(); }));
  EXPECT_NE(driver_.app().items().find("look/slice/species"), nullptr);
  const int quantities = static_cast<int>(grid_quantity_names().size());
  for (int field = 0; field < quantities; ++field)
    for (int species = 0; species <= 2; ++species) {
      view().slice.field = field;
      view().slice.species = species;
      view().slice.part = field % 7;
      view().make_again();
      driver_.frame(5);
      ASSERT_TRUE(idle());
      EXPECT_EQ(view().words(), "") << grid_quantity_names()[static_cast<std::size_t>(field)];
    }
  screenshot("species_slice");
  EXPECT_NE(driver_.app().items().find("look/slice/part"), nullptr);
}

}  // namespace
}  // namespace firn::viewer
