// The whole interface, driven as a user would: open, play, edit, add, save, reload, film.
#include <gtest/gtest.h>
#include <imgui.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "../unit/film_probe.h"
#include "../unit/test_folder.h"
#include "driver.h"
#include "keys.h"
#include "scene_io/scene_document.h"
#include "scene_io/scene_reader.h"
#include "scene_io/scene_writer.h"

namespace firn::viewer {
namespace {

namespace fs = std::filesystem;

constexpr const char* kScene = R"({
  "name": "two_bodies", "grid": {"spacing": 0.08}, "fps": 50, "frames": 40,
  "materials": {"jelly": {"model": "neo_hookean", "youngs_modulus": 2e4},
                "snow": {"model": "snow"}},
  "objects": [
    {"name": "cube", "material": "jelly", "velocity": [0.4, 0, 0], "colors": [{"color": "#d08040"}],
     "shape": {"type": "box", "size": [0.5, 0.5, 0.5], "center": [-0.4, 0.6, 0],
               "rotation": [20, 0, 30]}},
    {"name": "ball", "material": "snow", "colors": [{"color": "#e8eef8"}],
     "shape": {"type": "ball", "radius": 0.3, "center": [0.4, 0.5, 0]}}],
  "colliders": [{"name": "floor", "friction": 0.4, "shape": {"type": "plane", "point": [0, 0, 0]}},
                {"name": "post", "shape": {"type": "cylinder", "radius": 0.12, "height": 0.5,
                                           "center": [0.1, 0.25, -0.5]}}],
  "emitters": [{"name": "tap", "material": "snow", "velocity": [0, -1, 0], "start": 100,
                "shape": {"type": "box", "size": [0.2, 0.1, 0.2], "center": [0, 1.5, 0]}}]
})";

// Where screenshots go: for the handbook, or away at the end.
class Shots {
 public:
  explicit Shots(const TestFolder& folder) : folder_(folder.path()) {
    if (const char* given = std::getenv("FIRN_SCREENSHOTS")) folder_ = given;
  }
  fs::path at(const std::string& name) const { return folder_ / ("viewer_" + name + ".png"); }

 private:
  fs::path folder_;
};

// Whether a picture shows more than a few colours: something was drawn.
bool shows_something(const Image& image) {
  std::set<std::uint32_t> colors;
  for (std::size_t i = 0; i + 2 < image.rgb.size(); i += 3)
    colors.insert(image.rgb[i] << 16 | image.rgb[i + 1] << 8 | image.rgb[i + 2]);
  return colors.size() > 200;
}

class Interface : public ::testing::Test {
 protected:
  // A small window and a plain look draw quickly; screenshots for the handbook are worth the time.
  Interface()
      : folder_("viewer"),
        shots_(folder_),
        driver_(for_handbook() ? 1280 : 1000, for_handbook() ? 800 : 640) {}
  static bool for_handbook() { return std::getenv("FIRN_SCREENSHOTS") != nullptr; }
  void SetUp() override {
    if (!driver_.works()) GTEST_SKIP() << driver_.problem();
    scene_ = folder_.write("two_bodies.json", kScene);
    if (!for_handbook()) {
      const auto plain = apply_override(kScene, R"(/view={"look":{"ambient_occlusion":false}})");
      ASSERT_TRUE(plain.ok());
      folder_.write("two_bodies.json", *plain);
    }
    ASSERT_TRUE(driver_.open(scene_.string()));
    driver_.frame(5);
  }
  Workspace& work() { return driver_.work(); }
  std::int64_t frame() { return work().session_frame ? work().session_frame->stats.frame : -1; }
  bool idle() {
    return driver_.wait_for([&] {
      return work().status.state == SessionState::paused && driver_.app().viewport().ready();
    });
  }

  TestFolder folder_;
  Shots shots_;
  Driver driver_;
  fs::path scene_;
};

TEST_F(Interface, PlaysPausesStepsAndResets) {
  EXPECT_EQ(frame(), 0);
  driver_.click("toolbar/play");
  EXPECT_TRUE(driver_.wait_for([&] { return frame() >= 5; }));
  driver_.press(kKeySpace);
  ASSERT_TRUE(idle());
  driver_.frame(10);
  const std::int64_t steps = work().session_frame->total_steps;
  driver_.click("toolbar/step");
  EXPECT_TRUE(driver_.wait_for([&] { return work().session_frame->total_steps == steps + 1; }));
  const std::int64_t before = frame();
  driver_.press(kKeyRight);
  EXPECT_TRUE(driver_.wait_for([&] { return frame() == before + 1; }));
  driver_.press('R');
  EXPECT_TRUE(driver_.wait_for([&] { return frame() == 0; }));
  EXPECT_TRUE(shows_something(driver_.picture()));
}

TEST_F(Interface, EveryPropertyOfTheSceneHasAField) {
  // Every leaf of the file, looked for in the panel that edits it.
  const Json json = Json::parse(write_scene(work().document.scene())).flatten();
  std::string shown;
  std::vector<std::string> missing;
  for (auto leaf = json.begin(); leaf != json.end(); ++leaf) {
    const std::string pointer = leaf.key();
    if (pointer == "/format") continue;
    const std::string panel = panel_of(pointer);
    if (panel != shown) driver_.click("tab/" + panel);
    shown = panel;
    // Vectors and lists of words are one field.
    std::string field = pointer;
    const auto found = [&] { return driver_.app().items().find(field) != nullptr; };
    driver_.app().items().go_to(pointer);
    driver_.frame(6);
    while (!found() && std::isdigit(static_cast<unsigned char>(field.back())))
      field = field.substr(0, field.rfind('/'));
    if (!found()) missing.push_back(pointer);
  }
  EXPECT_TRUE(missing.empty()) << missing.size() << " without a field, such as " << missing[0];
}

TEST_F(Interface, AMaterialIsEditedWhileItRuns) {
  driver_.click("toolbar/play");
  driver_.click("tab/Materials");
  driver_.click("/materials/jelly");
  driver_.type("/materials/jelly/youngs_modulus", "12345", true);
  EXPECT_TRUE(driver_.wait_for([&] { return work().status.edit > 0; }));
  EXPECT_EQ(work().status.effect, EditEffect::at_once);
  EXPECT_NE(work().status.words.find("/materials/jelly/youngs_modulus: in effect"),
            std::string::npos)
      << work().status.words;
  const std::int64_t before = frame();
  EXPECT_TRUE(driver_.wait_for([&] { return frame() > before + 1; }));
  EXPECT_NE(write_scene(*work().session_frame->scene).find("12345"), std::string::npos);
  driver_.screenshot(shots_.at("materials"));

  // What must wait for the reset says so.
  driver_.click("tab/Simulation");
  driver_.type("/grid/spacing", "0.1", true);
  EXPECT_TRUE(driver_.wait_for([&] { return work().status.waits_for_reset; }));
  EXPECT_NE(work().status.words.find("/grid/spacing: takes effect at reset"), std::string::npos);
  driver_.click("toolbar/reset");
  EXPECT_TRUE(driver_.wait_for([&] { return !work().status.waits_for_reset; }));
}

TEST_F(Interface, ObjectsComeGoAndMoveAndCanBeUndone) {
  driver_.click("/objects/1/duplicate");
  EXPECT_TRUE(driver_.wait_for([&] { return work().document.scene().objects.size() == 3; }));
  driver_.click("/objects/2/up");
  EXPECT_EQ(work().document.scene().objects[1].name, "ball_2");
  driver_.click("/objects/0/delete");
  EXPECT_EQ(work().document.scene().objects.size(), 2u);
  for (int i = 0; i < 3; ++i) driver_.press('Z', true);
  EXPECT_EQ(work().document.scene().objects[0].name, "cube");
  EXPECT_EQ(work().document.scene().objects.size(), 2u);
  driver_.press('Y', true);
  EXPECT_EQ(work().document.scene().objects.size(), 3u);
}

TEST_F(Interface, ReferencesFollowTheirMaterials) {
  driver_.click("tab/Materials");
  driver_.click("/materials/jelly/down");
  const SceneSettings& scene = work().document.scene();
  EXPECT_EQ(scene.materials[1].name, "jelly");
  EXPECT_EQ(scene.objects[0].material, 1);
  EXPECT_EQ(scene.objects[1].material, 0);
  EXPECT_EQ(scene.emitters[0].material, 0);
  driver_.click("/materials/snow");
  driver_.type("/materials/snow/rename", "firn");
  EXPECT_EQ(work().document.scene().materials[0].name, "firn");
  driver_.click("presets");
  driver_.click("presets/sand/" + presets(model_index_by_name("sand"))[0].name);
  EXPECT_EQ(work().document.scene().materials.size(), 3u);
}

TEST_F(Interface, AddsAnObjectSavesAndReadsItBack) {
  const std::size_t particles = driver_.app().viewport().shown()->points->count;
  driver_.click("/objects/+");
  ASSERT_EQ(work().document.scene().objects.size(), 3u);
  driver_.click("/objects/2");
  driver_.type("/objects/2/density", "750", true);
  EXPECT_EQ(work().document.scene().objects[2].density, 750);
  // The scene has not moved yet: the new body is there at once.
  EXPECT_TRUE(driver_.wait_for(
      [&] { return driver_.app().viewport().shown()->points->count > particles; }));
  driver_.frame(20);
  driver_.screenshot(shots_.at("scene"));
  const fs::path saved = folder_.path() / "saved.json";
  driver_.press('S', true);
  EXPECT_FALSE(work().document.modified());
  driver_.menu("File", "Save as ...");
  driver_.type("dialog/path", saved.string());
  EXPECT_TRUE(fs::exists(saved));
  const std::string edited = write_scene(work().document.scene());
  const Result<SceneSettings> again = read_scene(saved.string());
  ASSERT_TRUE(again.ok()) << again.errors().front();
  EXPECT_EQ(write_scene(*again), edited);
  ASSERT_TRUE(driver_.open(saved.string()));
  EXPECT_EQ(write_scene(work().document.scene()), edited);
}

TEST_F(Interface, AnExpressionThatIsWrongIsToldAtItsField) {
  SceneSettings& scene = work().document.scene();
  scene.gravity[0].expression = "sin(";
  work().document.touch();
  EXPECT_TRUE(driver_.wait_for([&] { return !work().errors().empty(); }));
  EXPECT_TRUE(work().errors_by_pointer().contains("/gravity/0"));
  driver_.screenshot(shots_.at("errors"));
  work().undo();
  EXPECT_TRUE(driver_.wait_for([&] { return work().errors().empty(); }));
}

TEST_F(Interface, RecordsAFilmAndAStill) {
  const fs::path film = folder_.path() / "film.mp4", still = folder_.path() / "still.png";
  driver_.click("tab/Recording");
  driver_.app().forms().record.size[0] = 320;
  driver_.app().forms().record.size[1] = 240;
  driver_.type("recording/film", film.string());
  driver_.type("recording/still", still.string());
  driver_.type("recording/to", "6", true);
  driver_.click("recording/start");
  EXPECT_TRUE(driver_.app().recorder().recording());
  driver_.screenshot(shots_.at("recording"));
  EXPECT_TRUE(driver_.wait_for([&] { return !driver_.app().recorder().recording(); }, 60));
  ASSERT_TRUE(fs::exists(film)) << driver_.app().recorder().words();
  const std::string count = output_of(
      "ffprobe -v error -count_frames -select_streams v -show_entries "
      "stream=nb_read_frames,width,height -of csv=p=0 " +
      film.string());
  EXPECT_EQ(count, "320,240,7\n");
  driver_.click("recording/save");
  EXPECT_TRUE(fs::exists(still)) << driver_.app().recorder().words();
}

TEST_F(Interface, ParticlesAreDraggedAndPushed) {
  driver_.press('2');
  EXPECT_EQ(driver_.app().viewport().tool, Tool::pull);
  driver_.click("toolbar/play");
  driver_.drag("view", 150, -100);
  driver_.click("toolbar/Push");
  driver_.drag("view", -100, 50);
  EXPECT_NE(work().status.state, SessionState::failed);
}

TEST_F(Interface, TheMouseMovesTheCameraAndViewsAreKept) {
  const Camera before = driver_.app().viewport().camera.camera();
  driver_.drag("view", 120, 40);
  const Camera after = driver_.app().viewport().camera.camera();
  EXPECT_FALSE(before.eye == after.eye);
  EXPECT_TRUE(before.target == after.target);
  driver_.click("tab/Camera");
  driver_.type("camera/name", "mine");
  driver_.click("camera/save");
  ASSERT_EQ(work().document.scene().view.cameras.size(), 1u);
  driver_.press('F');
  driver_.click("camera/views/mine");
  const Vec3d back = driver_.app().viewport().camera.camera().eye - after.eye;
  EXPECT_LT(std::sqrt(dot(back, back)), 1e-9);
  driver_.screenshot(shots_.at("camera"));
}

TEST_F(Interface, PanelsMoveAndTheirPlacesAreKept) {
  const fs::path file = folder_.path() / "layout.json";
  Layout first({{"Scene", Place::left, [] {}}, {"Look", Place::right, [] {}}}, file);
  first.move("Look", Place::bottom);
  Layout second({{"Scene", Place::left, [] {}}, {"Look", Place::right, [] {}}}, file);
  EXPECT_EQ(second.place_of("Look"), Place::bottom);
  second.reset();
  EXPECT_EQ(second.place_of("Look"), Place::right);
  folder_.write("layout.json", "{\"left\": \"x\", \"panels\": [1]");
  Layout damaged({{"Scene", Place::left, [] {}}}, file);
  EXPECT_EQ(damaged.place_of("Scene"), Place::left);

  // A tab dragged onto the picture floats.
  const Item* view = driver_.app().items().find("view");
  const Item* tab = driver_.app().items().find("tab/Look");
  ASSERT_TRUE(view && tab);
  driver_.drag("tab/Look", (view->low.x + view->high.x - tab->low.x - tab->high.x) / 2,
               (view->low.y + view->high.y) / 2 - tab->low.y);
  EXPECT_EQ(driver_.app().layout().place_of("Look"), Place::floating);
  driver_.screenshot(shots_.at("floating"));
}

TEST_F(Interface, EveryTabIsOpened) {
  driver_.click("toolbar/play");
  EXPECT_TRUE(driver_.wait_for([&] { return frame() >= 12; }));
  work().document.scene().view.color_by = "velocity";
  work().document.touch();
  EXPECT_TRUE(driver_.wait_for([&] { return frame() >= 18; }));
  driver_.click("toolbar/play");
  ASSERT_TRUE(idle());
  for (const char* name : {"Scene", "Materials", "Simulation", "Look", "Camera", "Recording",
                           "Graphs", "Benchmark", "Log", "Timeline"}) {
    driver_.click(std::string("tab/") + name);
    driver_.screenshot(shots_.at(std::string("tab_") + name));
  }
  EXPECT_TRUE(shows_something(driver_.picture()));
  driver_.press(kKeyF1);
  driver_.screenshot(shots_.at("help"));
}

TEST_F(Interface, AnObjectIsHiddenWhileTheSceneStandsWhereItIs) {
  driver_.click("toolbar/frame");
  EXPECT_TRUE(driver_.wait_for([&] { return frame() == 1; }));
  ASSERT_TRUE(idle());
  const std::string name = work().document.scene().objects[0].name;
  ASSERT_FALSE(name.empty());
  driver_.click("tab/Look");
  driver_.click("look/objects");
  const std::string look = "look/objects/0/" + name;
  driver_.click(look + "?");
  ASSERT_TRUE(work().document.scene().objects[0].look);
  driver_.click(look + "/visible");
  EXPECT_FALSE(work().document.scene().objects[0].look->visible);
  EXPECT_TRUE(driver_.wait_for([&] { return work().status.effect == EditEffect::at_once; }));
  ASSERT_TRUE(idle());
  driver_.frame(3);
  EXPECT_EQ(frame(), 1);  // no reset
  const auto data = [&] { return driver_.app().viewport().picture(200, 150, false); };
  const Result<Image> hidden = data();
  work().document.scene().objects[0].look->visible = true;
  work().document.touch();
  driver_.frame(3);
  ASSERT_TRUE(idle());
  const Result<Image> shown = data();
  ASSERT_TRUE(hidden && shown);
  EXPECT_NE(hidden->rgb, shown->rgb);
}

TEST_F(Interface, ASliceOfTheGridIsShown) {
  driver_.app().viewport().slice.shown = true;
  driver_.app().viewport().slice.alone = false;
  driver_.app().viewport().make_again();
  driver_.frame(5);
  EXPECT_TRUE(driver_.wait_for([&] { return driver_.app().viewport().ready(); }));
  EXPECT_TRUE(driver_.app().viewport().words().empty()) << driver_.app().viewport().words();
  driver_.screenshot(shots_.at("slice"));
}

TEST_F(Interface, ABatchOfScenesIsMeasured) {
  const fs::path out = folder_.path() / "bench.csv";
  driver_.app().forms().batch = {{scene_.string()}, 5, out.string()};
  driver_.click("tab/Benchmark");
  driver_.click("benchmark/batch");
  driver_.click("batch/run");
  ASSERT_TRUE(driver_.wait_for([&] { return work().batch && work().batch->done(); }));
  EXPECT_TRUE(fs::exists(out));
  driver_.screenshot(shots_.at("benchmark"));
}

}  // namespace
}  // namespace firn::viewer
