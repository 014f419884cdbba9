// The published schema and handbook are those that the description gives. To renew
// scenes/schema.json and docs/scenes.md after a change of the settings, run this test with
// FIRN_WRITE_SCHEMA=1 in the environment, or `make docs`.
#include "scene_io/scene_schema.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "expr/parser.h"
#include "material/presets.h"
#include "scene_io/handbook_table.h"
#include "scene_io/scene_reader.h"

namespace firn {
namespace {

void expect_current(const std::string& path, const std::string& text) {
  if (std::getenv("FIRN_WRITE_SCHEMA") != nullptr) std::ofstream(path) << text;
  std::ifstream file(path);
  const std::string published((std::istreambuf_iterator<char>(file)), {});
  EXPECT_TRUE(published == text) << path << " is out of date; `make docs` renews it";
}

// The first groups of all matches.
std::vector<std::string> matches(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it)
    found.push_back((*it)[1]);
  return found;
}

TEST(SceneSchema, PublishedOneIsCurrent) {
  expect_current(FIRN_SOURCE_DIR "/scenes/schema.json", scene_schema());
}

TEST(SceneHandbook, PublishedOneIsCurrent) {
  expect_current(FIRN_SOURCE_DIR "/docs/scenes.md", scene_handbook());
}

TEST(SceneHandbook, EveryLinkLeadsToAHeading) {
  const std::string page = scene_handbook();
  std::multiset<std::string> anchors;
  for (const std::string& heading : matches(page, "\n#+ ([^\n]*)"))
    anchors.insert(anchor_of(heading));
  const std::vector<std::string> links = matches(page, "\\]\\(#([^)]*)\\)");
  EXPECT_GT(links.size(), 50u);
  for (const std::string& link : links) EXPECT_EQ(anchors.count(link), 1u) << link;
}

TEST(SceneHandbook, ItsExamplesWork) {
  const std::string page = scene_handbook();
  const std::size_t start = page.find("```json\n") + 8;
  const auto scene = parse_scene(page.substr(start, page.find("```", start) - start), "my.json");
  EXPECT_TRUE(scene) << scene.errors()[0];
  const std::size_t section = page.find("## Expressions");
  const std::string about = page.substr(section, page.find("\n## ", section + 5) - section);
  int examples = 0;
  for (std::string code : matches(about, "`([^`]*)`")) {
    if (code.starts_with('"')) code = code.substr(1, code.size() - 2);
    if (code.size() < 4 || code.find_first_of("(?") == std::string::npos) continue;
    if (code == "a ? b : c") continue;
    const auto program = parse_expression(code, {"x", "y", "z", "t"});
    EXPECT_TRUE(program) << code << ": " << program.errors()[0];
    ++examples;
  }
  EXPECT_GT(examples, 25);
}

TEST(SceneHandbook, TablesStateUnitRangeDefaultAndNeed) {
  const std::string page = scene_handbook();
  for (const char* row :
       {"| `spacing` | number | m, > 0 | `0.02` | edge of a grid cell |",
        "| `solver` | word or [object](#solver) | `\"mpm\"`, `\"sph\"`, `\"fem\"` | `\"mpm\"` |",
        "| `kernel` | word | `\"linear\"`, `\"quadratic\"`, `\"cubic\"` | `\"quadratic\"` |",
        "| `materials` | [named objects](#materials) |  | **required** | materials by name |",
        "| `size` | vector | m, > 0 | **required**, or `min` and `max` | full extents |",
        "| `shapes` | [list of objects](#part) |  | **required** |",
        "Not together: `duration` and `frames`."})
    EXPECT_NE(page.find(row), std::string::npos) << row;
}

TEST(SceneSchema, StatesKeysRangesAndWords) {
  const auto schema = nlohmann::json::parse(scene_schema());
  EXPECT_EQ(schema["required"], nlohmann::json::array({"materials"}));
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
  const auto has = [&](const char* list, const char* word) {
    const std::vector<std::string> words = shapes(list);
    return std::count(words.begin(), words.end(), word) == 1;
  };
  for (const char* list : {"objects", "emitters", "sinks", "colliders"})
    for (const char* word : {"box", "rectangle", "ball", "disc", "cylinder", "mesh", "union"})
      EXPECT_TRUE(has(list, word)) << list << " " << word;
  EXPECT_TRUE(has("objects", "points") && !has("objects", "plane"));
  EXPECT_TRUE(has("colliders", "plane") && !has("colliders", "points"));
}

// Shapes made of shapes: the definition refers to itself, once.
TEST(SceneSchema, PartsAreOneDefinition) {
  const std::string text = scene_schema();
  const auto schema = nlohmann::json::parse(text);
  ASSERT_TRUE(schema["$defs"].contains("part"));
  EXPECT_FALSE(schema["$defs"]["part"]["oneOf"].empty());
  for (const std::string& target : matches(text, "\"\\$ref\": \"#/\\$defs/([^\"]*)\""))
    EXPECT_TRUE(schema["$defs"].contains(target)) << target;
  EXPECT_EQ(scene_schema(), text) << "asking twice gives the same";
  EXPECT_EQ(text.find("\"unit\""), std::string::npos);
  EXPECT_NE(scene_help().find("\npart:\n"), std::string::npos);
}

TEST(SceneSchema, EditorsMayBeTold) {
  const std::string rest =
      R"("materials": {"a": {"model": "snow"}},
         "objects": [{"shape": {"type": "ball", "radius": 1}, "material": "a"}]})";
  EXPECT_TRUE(parse_scene(R"({"$schema": "../schema.json", )" + rest, "a.json"));
  const auto wrong = parse_scene(R"({"$schema": 3, )" + rest, "a.json");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.errors()[0].find("a.json: /$schema: "), 0u) << wrong.errors()[0];
}

TEST(SceneSchema, HelpNamesEveryKeyWithItsUnit) {
  const std::string help = scene_help();
  for (const char* part : {"spacing: edge of a grid cell (m)", "youngs_modulus",
                           "checkpoint_interval", "density: initial density"})
    EXPECT_NE(help.find(part), std::string::npos) << part;
}

}  // namespace
}  // namespace firn
