// What is written reads back as the same settings.
#include "scene_io/scene_writer.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "scene_common.h"

namespace firn {
namespace {

// Two scenes are the same when every described value is.
void expect_round_trip(const SceneSettings& scene) {
  const std::string text = write_scene(scene);
  const auto again =
      parse_scene(text, scene.folder + (scene.folder.empty() ? "" : "/") + "again.json");
  ASSERT_TRUE(again.ok()) << again.errors().front() << "\n" << text;
  EXPECT_EQ(write_scene(*again), text);
}

std::vector<std::filesystem::path> shipped_scenes() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(FIRN_SOURCE_DIR "/scenes"))
    if (entry.path().extension() == ".json" && entry.path().filename() != "schema.json")
      paths.push_back(entry.path());
  return paths;
}

TEST(SceneWriter, EveryShippedSceneSurvives) {
  const auto paths = shipped_scenes();
  EXPECT_GE(paths.size(), 3u);
  for (const auto& path : paths) {
    const auto scene = read_scene(path.string());
    ASSERT_TRUE(scene.ok()) << scene.errors().front();
    EXPECT_FALSE(scene->name.empty());
    SCOPED_TRACE(path.string());
    expect_round_trip(*scene);
  }
}

// The first JSON block of the README is what a newcomer types.
TEST(SceneWriter, TheSceneOfTheReadmeIsTheFirstExample) {
  std::ifstream file(FIRN_SOURCE_DIR "/README.md");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::size_t begin = text.find("```json\n") + 8, end = text.find("```", begin);
  ASSERT_LT(end, text.size());
  const auto typed = parse_scene(text.substr(begin, end - begin), "first.json");
  ASSERT_TRUE(typed.ok()) << typed.errors().front();
  auto shipped = read_scene(FIRN_SOURCE_DIR "/scenes/first.json");
  ASSERT_TRUE(shipped.ok()) << shipped.errors().front();
  shipped->name = typed->name;
  shipped->description = typed->description;
  EXPECT_EQ(write_scene(*shipped), write_scene(*typed));
}

TEST(SceneWriter, UnusualNumbersSurviveExactly) {
  SceneSettings scene = scene_with({});
  scene.grid.spacing = 0.1 + 1e-17;
  scene.objects[0].density = 1.0 / 3.0;
  scene.objects[0].velocity = {{1e-300, -0.0, 1e300}};
  scene.objects[0].colors = {{{{1.0 / 3.0, 2.0 / 3.0, 1}}, 0.1}};
  scene.seed = (std::uint64_t(1) << 53) - 1;
  const auto again = parse_scene(write_scene(scene), "again.json");
  ASSERT_TRUE(again.ok()) << again.errors().front();
  EXPECT_EQ(again->grid.spacing, scene.grid.spacing);
  EXPECT_EQ(again->objects[0].density, 1.0 / 3.0);
  EXPECT_EQ(again->objects[0].velocity, scene.objects[0].velocity);
  EXPECT_EQ(again->objects[0].colors[0].rgb, scene.objects[0].colors[0].rgb);
  EXPECT_EQ(again->seed, scene.seed);
}

TEST(SceneWriter, EveryModelAndPresetSurvives) {
  for (int model = 0; model < model_count; ++model)
    for (const std::string& preset : preset_names(model)) {
      SceneSettings scene = scene_with({});
      scene.materials = {{"m \"1\"/~", preset, preset_parameters(model, preset)}};
      SCOPED_TRACE(std::string(model_name(model)) + " " + preset);
      expect_round_trip(scene);
    }
}

TEST(SceneWriter, DefaultsAreFilledIn) {
  const auto json = nlohmann::json::parse(write_scene(scene_with({})));
  EXPECT_EQ(json["/format"_json_pointer], 1);
  EXPECT_EQ(json["/objects/0/sampling/particles_per_cell"_json_pointer], 8);
  EXPECT_EQ(json["/objects/0/density"_json_pointer],
            preset_density(model_index_by_name("snow"), ""));
  EXPECT_TRUE(json.contains("/materials/snow/youngs_modulus"_json_pointer));
  EXPECT_TRUE(json.contains("/integrator/cfl"_json_pointer));
  EXPECT_FALSE(json.contains("/objects/0/sampling/spacing"_json_pointer));
  EXPECT_FALSE(json.contains("duration"));
}

TEST(SceneWriter, AliasesAndShorthandsBecomeTheirMeaning) {
  const auto json = nlohmann::json::parse(write_scene(scene_with({"/duration=2"}, kFlatScene)));
  EXPECT_EQ(json["/objects/0/shape/type"_json_pointer], "ball");
  EXPECT_EQ(json["/objects/0/shape/center"_json_pointer], nlohmann::json::array({1, 1}));
  EXPECT_EQ(json["frames"], 60);
}

}  // namespace
}  // namespace firn
