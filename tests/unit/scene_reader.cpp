// Every kind of mistake in a scene file gives its own clear line, and all of them at once.
#include "scene_io/scene_reader.h"

#include "scene_common.h"
#include "scene_io/scene_document.h"
#include "scene_io/scene_read_visitor.h"

namespace firn {
namespace {

TEST(SceneReader, ReadsWhatTheFileSays) {
  const SceneSettings scene = scene_with(
      {"/seed=7", "/duration=1.5", "/fps=24", "/kernel=cubic", "/transfer=flip", "/flip_ratio=0.9",
       "/objects/0/velocity=[1,2,3]", "/objects/0/sampling={\"type\":\"grid\",\"spacing\":0.03}",
       "/objects/0/colors=[{\"color\":\"#ff8000\"}]", "/colliders/0/contact=sticky",
       "/materials/snow/youngs_modulus=2e5", "/objects/0/material=sand"});
  EXPECT_EQ(scene.seed, 7u);
  EXPECT_EQ(scene.frames, 36);
  EXPECT_EQ(scene.mpm.kernel, KernelKind::cubic);
  EXPECT_EQ(scene.mpm.transfer, TransferKind::flip);
  EXPECT_EQ(scene.mpm.flip_ratio, 0.9);
  const ObjectSettings& ball = scene.objects[0];
  EXPECT_EQ(ball.velocity, (VaryingVector{{1, 2, 3}}));
  EXPECT_EQ(ball.sampling.kind, SamplingKind::grid);
  EXPECT_EQ(ball.sampling.spacing, 0.03);
  EXPECT_EQ(ball.material, 1);
  EXPECT_EQ(ball.colors[0].rgb, (Vec3d{{1, 128 / 255.0, 0}}));
  EXPECT_EQ(scene.colliders[0].contact, ContactKind::sticky);
  EXPECT_EQ(std::get<Snow::Parameters>(scene.materials[0].parameters).youngs_modulus, 2e5);
}

TEST(SceneReader, FillsDefaultsFromFileNamePresetAndDimension) {
  const SceneSettings scene = scene_with({"/materials/snow/preset=icy"});
  EXPECT_EQ(scene.name, "s");
  EXPECT_EQ(scene.objects[0].density, preset_density(model_index_by_name("snow"), "icy"));
  EXPECT_EQ(scene.objects[0].sampling.particles_per_cell, 8);
  EXPECT_EQ(scene.objects[0].colors.size(), 1u);
  EXPECT_EQ(scene_with({}, kFlatScene).objects[0].sampling.particles_per_cell, 4);
  EXPECT_EQ(scene_with({}, kFlatScene).objects[0].name, "object_1");
}

TEST(SceneReader, PresetComesBeforeSingleParameters) {
  const SceneSettings scene =
      scene_with({"/materials/snow/poisson_ratio=0.25", "/materials/snow/preset=icy"});
  const auto& snow = std::get<Snow::Parameters>(scene.materials[0].parameters);
  const auto icy =
      std::get<Snow::Parameters>(preset_parameters(model_index_by_name("snow"), "icy"));
  EXPECT_EQ(snow.poisson_ratio, 0.25);
  EXPECT_EQ(snow.youngs_modulus, icy.youngs_modulus);
  EXPECT_NE(snow.youngs_modulus, Snow::Parameters().youngs_modulus);
}

TEST(SceneReader, BoxByCorners) {
  const SceneSettings scene =
      scene_with({"/objects/0/shape={\"type\":\"box\",\"min\":[0,1,0],\"max\":[1,3,4]}"});
  EXPECT_EQ(scene.objects[0].shape.size, (Vec3d{{1, 2, 4}}));
  EXPECT_EQ(scene.objects[0].shape.center, (Vec3d{{0.5, 2, 2}}));
}

TEST(SceneReader, UnknownKeysAndNames) {
  EXPECT_EQ(errors_with({"/objects/0/material=sandd"}),
            Lines{"s.json: /objects/0/material: no material \"sandd\"; did you mean \"sand\"?"});
  EXPECT_EQ(errors_with({"/grid={\"spacng\":1}"}),
            Lines{"s.json: /grid/spacng: unknown key; did you mean \"spacing\"?"});
  EXPECT_EQ(errors_with({"/kernel=quadratc"}),
            Lines{"s.json: /kernel: no kernel \"quadratc\"; did you mean \"quadratic\"?"});
  EXPECT_EQ(errors_with({"/materials/snow/preset=icey"}),
            Lines{"s.json: /materials/snow/preset: no preset \"icey\"; did you mean \"icy\"?"});
  EXPECT_EQ(errors_with({"/materials/snow={\"model\":\"snwo\"}"}),
            Lines{"s.json: /materials/snow/model: no model \"snwo\"; did you mean \"snow\"?"});
  EXPECT_EQ(errors_with({"/output={\"fields\":[\"velocty\"]}"}),
            Lines{"s.json: /output/fields/0: no field \"velocty\"; did you mean \"velocity\"?"});
  EXPECT_EQ(errors_with({"/objects/0/fields={\"J_Q\":1}"}),
            Lines{"s.json: /objects/0/fields/J_Q: no such field in material \"snow\"; did you mean "
                  "\"J_P\"?"});
}

TEST(SceneReader, RangesNameTheUnit) {
  EXPECT_EQ(errors_with({"/grid/spacing=-1"}),
            Lines{"s.json: /grid/spacing: must be greater than 0 m, found -1"});
  EXPECT_EQ(errors_with({"/objects/0/shape/radius=0"}),
            Lines{"s.json: /objects/0/shape/radius: must be greater than 0 m, found 0"});
  EXPECT_EQ(errors_with({"/flip_ratio=1.5"}),
            Lines{"s.json: /flip_ratio: must be between 0 and 1, found 1.5"});
  EXPECT_EQ(errors_with({"/objects/0/density=0"}),
            Lines{"s.json: /objects/0/density: must be greater than 0 kg/m^3, found 0"});
  EXPECT_EQ(errors_with({"/format=2"}), Lines{"s.json: /format: must be 1, found 2"});
  EXPECT_EQ(errors_with({"/duration=0.001"}),
            Lines{"s.json: /duration: is shorter than one frame; raise it or /fps"});
  EXPECT_EQ(errors_with({"/objects/0/fields={\"J_P\":-1}"}).size(), 1u);
}

TEST(SceneReader, WrongTypes) {
  EXPECT_EQ(errors_with({"/grid/spacing=wide"}),
            Lines{"s.json: /grid/spacing: expected a number in m, found \"wide\""});
  EXPECT_EQ(errors_with({"/gravity=9.81"}),
            Lines{"s.json: /gravity: expected a list of 3 numbers, found 9.81"});
  EXPECT_EQ(errors_with({"/gravity=[0,null,0]"}),
            Lines{"s.json: /gravity/1: expected a number in m/s^2 or an expression, found null"});
  EXPECT_EQ(errors_with({"/view=7"}), Lines{"s.json: /view: expected an object, found 7"});
  EXPECT_EQ(errors_with({"/colliders={}"}),
            Lines{"s.json: /colliders: expected a list, found an object"});
  EXPECT_EQ(errors_with({"/frames=1.5"}),
            Lines{"s.json: /frames: expected a whole number, found 1.5"});
  EXPECT_EQ(errors_with({"/particle_collisions=yes"}),
            Lines{"s.json: /particle_collisions: expected true or false, found \"yes\""});
  EXPECT_EQ(errors_with({"/objects/0/colors=[{\"color\":\"#12345g\"}]"}),
            Lines{"s.json: /objects/0/colors/0/color: expected a colour, \"#rrggbb\" or three "
                  "numbers, found \"#12345g\""});
  EXPECT_EQ(errors_of("[]"), Lines{"s.json: /: expected an object, found a list of 0"});
}

TEST(SceneReader, MissingAndContradicting) {
  EXPECT_EQ(errors_of("{}"),
            (Lines{"s.json: /: missing \"materials\"",
                   "s.json: /objects: is empty; give at least one, or an emitter"}));
  EXPECT_EQ(errors_with({"/objects=[]"}),
            Lines{"s.json: /objects: is empty; give at least one, or an emitter"});
  EXPECT_EQ(errors_with({"/objects/0/shape={\"type\":\"box\"}"}),
            Lines{"s.json: /objects/0/shape: missing \"size\""});
  EXPECT_EQ(errors_with({"/objects/0/shape={\"type\":\"box\",\"min\":[0,0,0]}"}),
            Lines{"s.json: /objects/0/shape: missing \"max\""});
  EXPECT_EQ(errors_with({"/duration=1", "/frames=5"}),
            Lines{"s.json: /: give \"duration\" or \"frames\", not both"});
  EXPECT_EQ(errors_with({"/objects/0/sampling={\"spacing\":0.1,\"particles_per_cell\":8}"}),
            Lines{"s.json: /objects/0/sampling: give \"particles_per_cell\" or \"spacing\", not "
                  "both"});
  EXPECT_EQ(errors_with({"/objects/0/shape={\"type\":\"box\",\"min\":[0,0,0],\"max\":[1,-1,1]}"}),
            Lines{"s.json: /objects/0/shape/max/1: must be greater than 0 m, the value in "
                  "\"min\", found -1"});
}

TEST(SceneReader, DuplicateNamesAndDirectionsWithoutLength) {
  const Lines twin = {
      "/objects/-={\"name\":\"ball\",\"material\":\"sand\",\"shape\":{\"type\":"
      "\"ball\",\"radius\":1,\"center\":[9,9,9]}}"};
  EXPECT_EQ(errors_with(twin),
            Lines{"s.json: /objects/1/name: another of the objects is called \"ball\""});
  EXPECT_EQ(errors_with({"/colliders/0/shape/normal=[0,0,0]"}),
            Lines{"s.json: /colliders/0/shape/normal: has no direction"});
  EXPECT_EQ(errors_with({"/objects/0/colors=[{\"color\":\"#000000\",\"probability\":0}]"}),
            Lines{"s.json: /objects/0/colors: the probabilities sum to 0"});
}

TEST(SceneReader, FlatScenesTakeFlatVectors) {
  EXPECT_EQ(errors_of(kFlatScene, {"/objects/0/velocity=[1,2,0]"}), Lines{});
  EXPECT_EQ(errors_of(kFlatScene, {"/objects/0/velocity=[1,2,3]"}),
            Lines{"s.json: /objects/0/velocity: a 2D scene has no z: expected 2 numbers, found 3"});
  EXPECT_EQ(errors_with({"/gravity=[0,-1]"}),
            Lines{"s.json: /gravity: expected a list of 3 numbers, found a list of 2"});
  EXPECT_EQ(
      scene_with({"/objects/0/shape/rotation=30"}, kFlatScene).objects[0].shape.rotation.angles[2],
      30);
  EXPECT_EQ(errors_of(kFlatScene, {"/objects/0/shape/rotation=[0,0,30]"}),
            Lines{"s.json: /objects/0/shape/rotation: expected one number in degrees, about z, in "
                  "a 2D scene, found a list of 3"});
  EXPECT_EQ(errors_with({"/objects/0/shape={\"type\":\"disc\",\"radius\":1}"}),
            Lines{"s.json: /objects/0/shape/type: \"disc\" is for 2D scenes; did you mean "
                  "\"ball\"?"});
}

TEST(SceneReader, ExpressionErrorsGiveThePlace) {
  const Lines lines = errors_with({"/objects/0/fields={\"J_P\":\"1 + sinn(x)\"}"});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].rfind("s.json: /objects/0/fields/J_P: expression \"1 + sinn(x)\": at "
                           "character 5: ",
                           0),
            0u)
      << lines[0];
}

struct VaryingSettings {
  NumberOrExpression level{2, ""};
  VaryingVector wind{};

  template <class V>
  void describe(V& v) {
    v.varying("level", level, {"level", "m", 0, 10}, space_time_variables());
    v.varying_vector("wind", wind, {"wind", "m/s"}, space_time_variables());
  }
};

Lines read_varying(const char* text, VaryingSettings& settings, int dimension = 3) {
  ReadContext context("s.json");
  context.dimension = dimension;
  ObjectReader::read(*parse_document(text, "s.json"), "", context, settings);
  return context.take_errors();
}

TEST(SceneReader, NumbersOrExpressions) {
  VaryingSettings settings;
  EXPECT_EQ(read_varying(R"({"level": "1+t", "wind": [1, "x*y", "z"]})", settings), Lines{});
  EXPECT_EQ(compiled(settings.level)->at({{0, 0, 0}}, 2.5), 3.5);
  EXPECT_TRUE(compiled(settings.level)->varies_in_time());
  EXPECT_FALSE(compiled(settings.level)->varies_in_space());
  EXPECT_EQ(compiled(settings.wind[0])->value, 1);
  EXPECT_EQ(compiled(settings.wind[1])->at({{2, 3, 4}}, 0), 6);
  EXPECT_EQ(read_varying(R"({"level": 3, "wind": ["2^3", 1]})", settings, 2), Lines{});
  EXPECT_TRUE(settings.level.is_constant());
  EXPECT_FALSE(compiled(settings.wind[0])->has_program);
  EXPECT_EQ(compiled(settings.wind[0])->value, 8);
}

TEST(SceneReader, WrongNumbersOrExpressions) {
  VaryingSettings settings;
  EXPECT_EQ(read_varying(R"({"level": 11, "wind": [1, 2]})", settings),
            (Lines{"s.json: /level: must be between 0 and 10 m, found 11",
                   "s.json: /wind: expected a list of 3 numbers, found a list of 2"}));
  EXPECT_EQ(read_varying(R"({"level": "6*2", "wind": [1, true, "1/0"]})", settings),
            (Lines{"s.json: /level: expression \"6*2\": must be between 0 and 10 m, found 12",
                   "s.json: /wind/1: expected a number in m/s or an expression, found true",
                   "s.json: /wind/2: expression \"1/0\": must be a finite number"}));
  const Lines lines = read_varying(R"({"wind": [0, 0, "x + q"]})", settings);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].rfind("s.json: /wind/2: expression \"x + q\": at character 5: ", 0), 0u)
      << lines[0];
}

TEST(SceneReader, ScalarsOfTheScene) {
  const SceneSettings scene = scene_with(
      {"/scalars=[\"temperature\"]", "/output={\"fields\":[\"temperature\"]}",
       "/view={\"color_by\":\"temperature\"}", "/objects/0/fields={\"temperature\":\"280+x\"}"});
  EXPECT_EQ(scene.scalars, Lines{"temperature"});
  EXPECT_EQ(scene.view.color_by, "temperature");
  EXPECT_EQ(errors_with({"/output={\"fields\":[\"temperature\"]}"}).size(), 1u);
  EXPECT_EQ(errors_with({"/scalars=[\"salt\",\"salt\",\"2x\",\"J_P\"]"}),
            (Lines{"s.json: /scalars/1: \"salt\" is given twice",
                   "s.json: /scalars/2: expected a name of letters, digits and _, found \"2x\"",
                   "s.json: /scalars/1: \"J_P\" has a meaning already; choose another name"}));
  EXPECT_EQ(errors_with({"/objects/0/fields={\"red\":1.5}"}),
            Lines{"s.json: /objects/0/fields/red: must be between 0 and 1, found 1.5"});
}

TEST(SceneReader, PeriodsFitTheBlocks) {
  EXPECT_EQ(errors_with({"/grid={\"spacing\":0.1,\"periodic\":{\"x\":[-2,2]}}"}), Lines{});
  EXPECT_EQ(
      errors_with({"/grid={\"spacing\":0.1,\"periodic\":{\"x\":[0,1.5]}}"}),
      Lines{"s.json: /grid/periodic/x: its length must be a whole number of blocks of 4 cells "
            "(0.4 m); the nearest are 1.2 m and 1.6 m"});
  EXPECT_EQ(
      errors_with({"/grid={\"spacing\":0.1,\"periodic\":{\"z\":[-1,0.6]}}"}),
      Lines{"s.json: /grid/periodic/z: its low end must be a whole number of blocks of 4 cells "
            "(0.4 m); the nearest are -1.2 m and -0.8 m"});
  EXPECT_EQ(errors_with({"/grid={\"spacing\":0.1,\"periodic\":{\"y\":[0.8,0.4]}}"}),
            Lines{"s.json: /grid/periodic/y/1: must be greater than 0.8, found 0.4"});
  EXPECT_EQ(errors_of(kFlatScene, {"/grid={\"periodic\":{\"z\":[0,1]}}"}),
            Lines{"s.json: /grid/periodic/z: a 2D scene has no z"});
  EXPECT_EQ(errors_with({"/grid={\"spacing\":0.1,\"periodic\":{\"x\":[0,0.4]}}"}),
            Lines{"s.json: /objects/0/shape: is 0.8 m long in x and would overlap itself, as the "
                  "grid repeats every 0.4 m"});
}

TEST(SceneReader, ProbesAndInitialStress) {
  EXPECT_EQ(
      errors_with({"/probes=[{\"name\":\"a\",\"type\":\"point\",\"position\":[0,0,0]},"
                   "{\"name\":\"a\",\"type\":\"flux\",\"point\":[0,0,0],\"normal\":[0,0,0]}]"}),
      (Lines{"s.json: /probes/1/name: another of the probes is called \"a\"",
             "s.json: /probes/1/normal: has no direction"}));
  EXPECT_EQ(
      errors_with({"/objects/0/initial_stress={\"type\":\"k0\"}", "/gravity=[0,\"-t\",0]"}),
      Lines{"s.json: /objects/0/initial_stress: needs a gravity that is the same everywhere at "
            "all times; /gravity is an expression"});
}

TEST(SceneReader, SyntaxErrorsGiveLineAndColumn) {
  const auto starts_with = [](const Lines& lines, const std::string& start) {
    return lines.size() == 1 && lines[0].rfind(start, 0) == 0;
  };
  EXPECT_TRUE(starts_with(errors_of("{\n  \"a\" 1\n}"), "s.json:2:7: syntax error"));
  EXPECT_TRUE(starts_with(errors_of(""), "s.json:1:1: syntax error"));
  EXPECT_TRUE(starts_with(errors_of("{\"seed\": NaN}"), "s.json:1:10: syntax error"));
  EXPECT_TRUE(starts_with(errors_of("{\"seed\": 1e999}"), "s.json:1:14: number too large"));
  EXPECT_TRUE(starts_with(errors_of("{\"seed\": \"\xff\"}"), "s.json:1:11: syntax error"));
}

TEST(SceneReader, DuplicateKeysAreErrors) {
  EXPECT_EQ(errors_of("{\"grid\": {\"spacing\": 1, \"spacing\": 2}, \"a\": [0, {\"b\": 1, \"b\": "
                      "1}], \"grid\": 1}"),
            (Lines{"s.json: /grid/spacing: given twice", "s.json: /a/1/b: given twice",
                   "s.json: /grid: given twice"}));
}

TEST(SceneReader, DepthAndSizeAreLimited) {
  EXPECT_EQ(errors_of(std::string(100000, '[')), Lines{"s.json: nested deeper than 64 levels"});
  EXPECT_EQ(errors_of(std::string(kMaxSceneBytes + 1, ' ')),
            Lines{"s.json: scene files may have at most 64 MiB"});
}

TEST(SceneReader, AllErrorsAtOnceInTheOrderOfTheDescription) {
  EXPECT_EQ(errors_with({"/seed=-1", "/grid/spacing=0", "/kernel=x", "/objects/0/material=sno",
                         "/objects/0/densty=3", "/colliders/0/friction=-1", "/sead=1"}),
            (Lines{"s.json: /seed: expected a whole number from 0 to 2^53, found -1",
                   "s.json: /grid/spacing: must be greater than 0 m, found 0",
                   "s.json: /kernel: no kernel \"x\"; choose from \"linear\", \"quadratic\", "
                   "\"cubic\"",
                   "s.json: /objects/0/material: no material \"sno\"; did you mean \"snow\"?",
                   "s.json: /objects/0/densty: unknown key; did you mean \"density\"?",
                   "s.json: /colliders/0/friction: must be at least 0, found -1",
                   "s.json: /sead: unknown key; did you mean \"seed\"?"}));
}

TEST(SceneReader, EndlessErrorsAreCounted) {
  std::string text = "{";
  for (int i = 0; i < 500; ++i) text += (i ? ",\"" : "\"") + std::to_string(100000 + i) + "\": 1";
  const Lines lines = errors_of(text + "}");
  ASSERT_EQ(lines.size(), 101u);
  EXPECT_EQ(lines.back(), "s.json: and 402 more errors");  // and two missing keys
}

TEST(SceneReader, OverridesCreateReplaceAndRefuse) {
  EXPECT_EQ(scene_with({"/integrator/cfl=0.25"}).integrator.explicit_cfl, 0.25);
  EXPECT_EQ(scene_with({"/name=plain words"}).name, "plain words");
  EXPECT_EQ(errors_with({"/objects/3/density=1"}),
            Lines{"--set /objects/3/density=1: /objects has 1 entries, no entry \"3\""});
  EXPECT_EQ(errors_with({"/seed/a=1", "/seed=1", "/seed/b=1"}),
            Lines{"--set /seed/b=1: /seed is neither an object nor an array"});
  EXPECT_EQ(errors_with({"grid.spacing=1"}),
            Lines{"--set grid.spacing=1: expected /json/pointer=value"});
  EXPECT_EQ(errors_with({"/gird/spacing=1"}),
            Lines{"s.json: /gird: unknown key; did you mean \"grid\"?"});
  const auto text = apply_override("{\"a\": {\"b/c\": 1}}", "/a/b~1c=[1, 2]");
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(*text, "{\n  \"a\": {\n    \"b/c\": [1, 2]\n  }\n}\n");
}

TEST(SceneReader, FilesThatCannotBeRead) {
  const auto missing = read_scene("no/such/scene.json");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.errors(), Lines{"no/such/scene.json: No such file or directory"});
  const auto folder = read_scene("/");
  ASSERT_FALSE(folder.ok());
  EXPECT_EQ(folder.errors(), Lines{"/: is a folder, not a scene file"});
  EXPECT_EQ(read_scene("/dev/zero").errors(),
            Lines{"/dev/zero: scene files may have at most 64 MiB"});
}

}  // namespace
}  // namespace firn
