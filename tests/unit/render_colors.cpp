// Colours of materials and objects that differ from those of the view (MULTI 7.6.2), and
// yield_case.
#include <gtest/gtest.h>

#include "render/survey.h"
#include "scene/defaults.h"

namespace firn {
namespace {

bool same(Rgb8 a, Rgb8 b) {
  return a.r == b.r && a.g == b.g && a.b == b.b;
}

// Six particles: objects of two, two and two; the last is of the second material.
PointTable six() {
  PointTable table;
  table.count = 6;
  table.metadata["objects"] = "2,4,6";
  table.add<float>("x") = {0, 1, 2, 3, 4, 5};
  table.add<float>("y") = {0, 0, 0, 0, 0, 0};
  table.add<float>("z") = {0, 0, 0, 0, 0, 0};
  table.add<std::uint32_t>("id") = {0, 1, 2, 3, 4, 5};
  table.add<std::int32_t>("material") = {0, 0, 0, 0, 1, 1};
  table.add<float>("pressure") = {-3, 3, 0, 10, 50, 100};
  table.add<float>("stress_max") = {7, 7, 1, 2, 7, 7};
  table.add<std::int32_t>("yield_case") = {0, 1, 2, 0, 1, 2};
  for (const char* channel : {"red", "green", "blue"})
    table.add<std::uint8_t>(channel) = {9, 9, 9, 9, 9, 9};
  return table;
}

SceneSettings three_objects() {
  SceneSettings scene;
  scene.materials = {{"sand", "", default_parameters(0)}, {"jelly", "", default_parameters(1)}};
  scene.objects.resize(3);
  scene.objects[2].material = 1;
  return scene;
}

TEST(LookColors, PartsGoBeforeTheView) {
  const PointTable table = six();
  ColorChoice choice;
  ColorPart jelly;
  jelly.by = "pressure";
  jelly.low = 50;
  jelly.high = 100;
  jelly.map = ColorMap::grey;
  jelly.material = 1;
  ColorPart second = jelly;
  second.material = -1;
  second.object = 1;
  second.low = 0;
  second.high = 10;
  choice.parts = {jelly, second};
  const auto colors = point_colors(table, choice);
  ASSERT_TRUE(colors);
  const Rgb8 own{9, 9, 9}, low = scale_color(0, ColorMap::grey),
                           high = scale_color(1, ColorMap::grey);
  const Rgb8 expected[6] = {own, own, low, high, low, high};
  for (int i = 0; i < 6; ++i) EXPECT_TRUE(same((*colors)[i], expected[i])) << i;
  EXPECT_EQ(members_of(table, second), (std::vector<std::uint32_t>{2, 3}));
  // The CPU painter draws from the same colours.
  const auto cloud = make_point_cloud(table, {{0, 0, 0}}, 0.1, choice);
  ASSERT_TRUE(cloud);
  EXPECT_TRUE(same(cloud->colors[5], high));
}

TEST(LookColors, OfASceneHaveRangesOfTheirOwnParticles) {
  SceneSettings scene = three_objects();
  scene.view.color_map = ColorMap::turbo;
  MaterialLook jelly;
  jelly.material = 1;
  jelly.color_by = "pressure";
  scene.view.look.materials = {jelly};
  scene.objects[1].look.emplace();
  scene.objects[1].look->color_by = "stress_max";
  scene.objects[1].look->color_range = Interval{-5, 5};
  scene.objects[1].look->color_map = "coolwarm";
  const auto survey = survey_run({six()}, scene, {});
  ASSERT_TRUE(survey) << survey.errors().front();
  ASSERT_EQ(survey->colors.parts.size(), 2u);
  const ColorPart &first = survey->colors.parts[0], &second = survey->colors.parts[1];
  EXPECT_EQ(first.material, 1);
  EXPECT_NEAR(first.low, 50, 1e-6);
  EXPECT_NEAR(first.high, 100, 1e-6);
  EXPECT_EQ(first.map, ColorMap::turbo);
  EXPECT_EQ(second.object, 1);
  EXPECT_EQ(second.low, -5);
  EXPECT_EQ(second.high, 5);
  EXPECT_EQ(second.map, ColorMap::coolwarm);
  // Particles in their own colours need no key; these do.
  ASSERT_TRUE(survey->legend);
  EXPECT_EQ(survey->legend->title, "pressure (Pa)");
  EXPECT_NEAR(survey->legend->high, 100, 1e-6);
  // What the user asks for on the command line goes before.
  RenderRunOptions options;
  options.color_by = "pressure";
  const auto asked = survey_run({six()}, scene, options);
  ASSERT_TRUE(asked);
  EXPECT_TRUE(asked->colors.parts.empty());
  // Frames must carry what is shown, and whose it is.
  const auto fields = color_fields(scene);
  for (const char* name : {"color", "pressure", "material", "stress_max", "id"})
    EXPECT_NE(std::find(fields.begin(), fields.end(), name), fields.end()) << name;
  EXPECT_TRUE(survey_run({six()}, in_own_colors(scene), {})->colors.parts.empty());
}

TEST(LookColors, FieldsThatFramesLackAreNamed) {
  SceneSettings scene = three_objects();
  scene.objects[0].look.emplace();
  scene.objects[0].look->color_by = "det_F";
  const auto survey = survey_run({six()}, scene, {});
  ASSERT_FALSE(survey);
  EXPECT_NE(survey.errors().front().find("det_F"), std::string::npos);
}

TEST(LookColors, SpeciesAreDistinctAndNamed) {
  SceneSettings scene = three_objects();
  scene.objects[1].species = "water";
  scene.view.color_by = "species";
  PointTable table = six();
  table.add<std::int32_t>("species") = {0, 0, 1, 1, 0, 0};
  const auto survey = survey_run({table}, scene, {});
  ASSERT_TRUE(survey);
  ASSERT_TRUE(survey->legend);
  ASSERT_EQ(survey->legend->entries.size(), 2u);
  EXPECT_EQ(survey->legend->entries[0].label, "default");
  EXPECT_EQ(survey->legend->entries[1].label, "water");
  const auto colors = point_colors(table, survey->colors);
  ASSERT_TRUE(colors);
  EXPECT_TRUE(same((*colors)[0], (*colors)[4]));
  EXPECT_FALSE(same((*colors)[0], (*colors)[2]));
}

TEST(LookColors, YieldCasesAreDistinctAndNamed) {
  SceneSettings scene = three_objects();
  scene.view.color_by = "yield_case";
  const auto survey = survey_run({six()}, scene, {});
  ASSERT_TRUE(survey);
  ASSERT_TRUE(survey->legend);
  ASSERT_EQ(survey->legend->entries.size(), 3u);
  EXPECT_EQ(survey->legend->entries[0].label, "elastic");
  EXPECT_EQ(survey->legend->entries[1].label, "cone");
  EXPECT_EQ(survey->legend->entries[2].label, "tip");
  const auto colors = point_colors(six(), survey->colors);
  ASSERT_TRUE(colors);
  EXPECT_TRUE(same((*colors)[0], (*colors)[3]));
  EXPECT_FALSE(same((*colors)[0], (*colors)[1]));
  EXPECT_FALSE(same((*colors)[1], (*colors)[2]));
}

}  // namespace
}  // namespace firn
