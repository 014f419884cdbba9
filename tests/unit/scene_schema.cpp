// The published schema is the one that the description gives. To renew scenes/schema.json after a
// change of the settings, run this test with FIRN_WRITE_SCHEMA=1 in the environment.
#include "io/scene_schema.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "material/presets.h"

namespace firn {
namespace {

const std::string kPublished = FIRN_SOURCE_DIR "/scenes/schema.json";

TEST(SceneSchema, PublishedOneIsCurrent) {
  if (std::getenv("FIRN_WRITE_SCHEMA") != nullptr) std::ofstream(kPublished) << scene_schema();
  std::ifstream file(kPublished);
  const std::string published((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(published, scene_schema()) << "run this test with FIRN_WRITE_SCHEMA=1 to renew it";
}

TEST(SceneSchema, StatesKeysRangesAndWords) {
  const auto schema = nlohmann::json::parse(scene_schema());
  EXPECT_EQ(schema["required"], nlohmann::json::array({"materials", "objects"}));
  EXPECT_EQ(schema["additionalProperties"], false);
  const auto& properties = schema["properties"];
  for (const char* key :
       {"format",     "name",       "seed",      "dimension", "solver",    "duration",
        "frames",     "fps",        "gravity",   "grid",      "kernel",    "transfer",
        "flip_ratio", "integrator", "materials", "objects",   "colliders", "particle_collisions",
        "output",     "view"})
    EXPECT_TRUE(properties.contains(key)) << key;
  EXPECT_EQ(properties["kernel"]["enum"], nlohmann::json::array({"linear", "quadratic", "cubic"}));
  EXPECT_EQ(properties["transfer"]["enum"], nlohmann::json::array({"mls", "apic", "flip", "pic"}));
  EXPECT_EQ(properties["grid"]["properties"]["spacing"]["exclusiveMinimum"], 0.0);
  EXPECT_NE(
      properties["grid"]["properties"]["spacing"]["description"].get<std::string>().find("(m)"),
      std::string::npos);
}

TEST(SceneSchema, EveryModelAndShapeIsAnAlternative) {
  const auto schema = nlohmann::json::parse(scene_schema());
  const auto& models = schema["properties"]["materials"]["additionalProperties"]["oneOf"];
  ASSERT_EQ(models.size(), static_cast<std::size_t>(model_count));
  for (int i = 0; i < model_count; ++i) {
    EXPECT_EQ(models[i]["properties"]["model"]["enum"][0], model_name(i));
    EXPECT_EQ(models[i]["properties"]["preset"]["enum"].size(), preset_names(i).size());
    EXPECT_EQ(models[i]["additionalProperties"], false);
  }
  const auto shapes = [&](const char* list) {
    std::vector<std::string> words;
    for (const auto& shape : schema["properties"][list]["items"]["properties"]["shape"]["oneOf"])
      for (const auto& word : shape["properties"]["type"]["enum"]) words.push_back(word);
    return words;
  };
  EXPECT_EQ(shapes("objects"),
            (std::vector<std::string>{"box", "rectangle", "ball", "disc", "cylinder"}));
  EXPECT_EQ(shapes("colliders"),
            (std::vector<std::string>{"box", "rectangle", "ball", "disc", "cylinder", "plane"}));
}

TEST(SceneSchema, HelpNamesEveryKeyWithItsUnit) {
  const std::string help = scene_help();
  for (const char* part : {"spacing: edge of a grid cell (m)", "youngs_modulus",
                           "checkpoint_interval", "density: initial density"})
    EXPECT_NE(help.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace firn
