// What the program prints and the status it ends with.
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "program.h"
#include "scene_io/scene_reader.h"

namespace firn::test {
namespace {

using Json = nlohmann::json;
using Commands = ProgramTest;

TEST_F(Commands, HelpAndVersionAreThere) {
  const Outcome alone = firn({});
  EXPECT_EQ(alone.status, 0);
  EXPECT_NE(alone.out.find("render"), std::string::npos);
  EXPECT_EQ(firn({"--version"}).out.substr(0, 5), "firn ");
  for (const char* command : {"run", "render", "pack", "tetmesh", "check", "info", "bench",
                              "validate", "scenes", "materials", "schema"}) {
    const Outcome help = firn({command, "--help"});
    EXPECT_EQ(help.status, 0) << command;
    EXPECT_NE(help.out.find("Examples:"), std::string::npos) << command;
    EXPECT_EQ(help.err, "");
  }
}

TEST_F(Commands, UsageErrorsAreOneLineAndStatusTwo) {
  const std::vector<std::vector<std::string>> wrong = {
      {"rnu"},
      {"run"},
      {"run", "no_such_scene_here"},
      {"run", "missing.json"},
      {"run", test_scene("mixed_2d.json"), "--threads", "0"},
      {"run", test_scene("mixed_2d.json"), "--threads", "two"},
      {"run", test_scene("mixed_2d.json"), "--precision", "half"},
      {"run", test_scene("mixed_2d.json"), "--frames", "0"},
      {"run", test_scene("mixed_2d.json"), "--resume", "--overwrite"},
      {"run", test_scene("mixed_2d.json"), "--format", "vtk"},
      {"run", test_scene("mixed_2d.json"), "--set", "/grid/spacng=1"},
      {"run", test_scene("mixed_2d.json"), "--set", "nothing"},
      {"run", test_scene("mixed_2d.json"), "--set", "/solver=later"},
      {"run", test_scene("mixed_2d.json"), "--set", "/integrator/type=later"},
      {"run", test_scene("mixed_2d.json"), "--set", "/porous={}"},
      {"pack"},
      {"pack", "missing.json"},
      {"tetmesh"},
      {"pack", test_scene("mixed_2d.json"), "--set", "/grid/spacing=-1"},
      {"render", "missing_folder"},
      {"render", ".", "--size", "0x10"},
      {"check", test_scene("mixed_2d.json"), "--preview", "start.jpg"},
      {"check", test_scene("mixed_2d.json"), "--preview", "start.png", "--size", "big"},
      {"schema", "--text", "--markdown"},
      {"render", ".", "--camera", "behind"},
      {"info", "missing.ply"},
      {"materials", "sandd"},
      {"bench", "no_such_case"},
      {"validate", "no_such_case"}};
  for (const auto& arguments : wrong) {
    const Outcome outcome = firn(arguments);
    std::string shown;
    for (const std::string& argument : arguments) shown += " " + argument;
    EXPECT_EQ(outcome.status, 2) << shown;
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << shown << ": " << outcome.err;
  }
  EXPECT_FALSE(fs::exists(path("out")));
}

TEST_F(Commands, UnknownNamesGetTheNearestOne) {
  EXPECT_NE(firn({"rnu"}).err.find("\"run\""), std::string::npos);
  EXPECT_NE(firn({"materials", "sandd"}).err.find("\"sand\""), std::string::npos);
}

TEST_F(Commands, BenchOfImplicitStepsTellsItsFigures) {
  const Outcome told = firn({"bench", "implicit", "--dimension", "2", "--particles", "1000",
                             "--threads", "1", "--json", path("bench.json").string()});
  ASSERT_EQ(told.status, 0) << told.err;
  EXPECT_NE(told.out.find("by the first"), std::string::npos);  // what was extrapolated is named
  const Json figures = Json::parse(content(path("bench.json")));
  int asked = 0;
  for (const Json& figure : figures) {
    const auto what = figure.at("what").get<std::string>();
    EXPECT_GT(figure.at("measured").get<double>(), 0) << what;
    EXPECT_TRUE(std::isfinite(figure.at("measured").get<double>())) << what;
    EXPECT_NE(told.out.find(what), std::string::npos);
    asked += figure.contains("at_least") || figure.contains("at_most");
  }
  EXPECT_EQ(figures.size(), 23u);
  EXPECT_EQ(asked, 6);
}

TEST_F(Commands, ScenesAreListedAndFoundByName) {
  const Outcome listed = firn({"scenes", "--json"});
  ASSERT_EQ(listed.status, 0);
  const Json scenes = Json::parse(listed.out);
  ASSERT_FALSE(scenes.empty());
  for (const Json& scene : scenes) {
    EXPECT_FALSE(scene.at("name").get<std::string>().empty());
    EXPECT_TRUE(scene.at("description").is_string());
    EXPECT_TRUE(fs::exists(scene.at("path").get<std::string>()));
  }
  EXPECT_EQ(lines_of(firn({"scenes"}).out).size(), scenes.size());
  EXPECT_EQ(firn({"check", "first", "--set", "/grid/spacing=0.2"}).status, 0);
}

TEST_F(Commands, MaterialsDescribeTheirParameters) {
  const Outcome listed = firn({"materials", "--json"});
  ASSERT_EQ(listed.status, 0);
  bool sand_has_friction = false;
  for (const Json& model : Json::parse(listed.out)) {
    EXPECT_FALSE(model.at("presets").empty()) << model.at("name");
    for (const Json& parameter : model.at("parameters")) {
      EXPECT_FALSE(parameter.at("meaning").get<std::string>().empty());
      sand_has_friction |= model["name"] == "sand" && parameter["name"] == "friction_angle" &&
                           parameter["unit"] == "degrees";
    }
  }
  EXPECT_TRUE(sand_has_friction);
}

TEST_F(Commands, SchemaIsJson) {
  EXPECT_TRUE(Json::parse(firn({"schema"}).out).contains("properties"));
}

TEST_F(Commands, CheckSaysWhatWouldRunAndWritesNothing) {
  const Outcome outcome = firn({"check", test_scene("mixed_2d.json")});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const char* word : {"pool", "particles", "grid", "memory", "time step"})
    EXPECT_NE(outcome.out.find(word), std::string::npos) << word;
  EXPECT_TRUE(files_below(path("")).empty());
}

TEST_F(Commands, SchemaIsAPageToo) {
  const Outcome page = firn({"schema", "--markdown"});
  EXPECT_EQ(page.status, 0);
  EXPECT_EQ(page.out.find("# Scene files"), 0u);
}

constexpr const char* kFountain = R"({
  "frames": 4, "fps": 100, "grid": {"spacing": 0.1},
  "materials": {"water": {"model": "fluid", "bulk_modulus": 20000}},
  "emitters": [{"name": "jet", "shape": {"type": "box", "size": [0.2, 0.2, 0.2]}, "velocity": [2, 0, 0],
                "material": "water", "start": 0.015, "stop": 0.035, "sampling": {"spacing": 0.05}}],
  "sinks": [{"shape": {"type": "ball", "radius": 0.1, "center": [1, 0, 0]}}],
  "probes": [{"name": "here", "type": "point", "position": [0, 0, 0]}],
  "colliders": [{"shape": {"type": "plane", "point": [0, -1, 0]}},
                {"shape": {"type": "ball", "radius": 0.1, "center": [0, -0.8, 0]},
                 "motion": {"translation": ["t", 0, 0]}}],
  "output": {"fields": ["velocity", "volume"]}
})";

TEST_F(Commands, CheckDrawsHowASceneStarts) {
  const Outcome mixed =
      firn({"check", test_scene("mixed_2d.json"), "--preview", "start.png", "--size", "64x48"});
  EXPECT_EQ(mixed.status, 0) << mixed.err;
  EXPECT_EQ(content(path("start.png")).substr(1, 3), "PNG");
  EXPECT_EQ(firn({"check", test_scene("mixed_2d.json"), "--preview", "no/folder.png"}).status, 1);
}

// 0.2 m x 0.2 m at 2 m/s with 8000 particles a cubic metre: 640 a second, for 0.02 s.
TEST_F(Commands, CheckTellsOfEmittersAndSurroundings) {
  const Outcome outcome =
      firn({"check", write("jet.json", kFountain), "--preview", "jet.png", "--size", "64x48"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  for (const char* words :
       {"640 particles a second of water (fluid), 0.015 s to 0.035 s", "colliders    2, 1 moving",
        "sinks        1", "probes       1", "0 at first, about 13 come in", "preview      jet.png"})
    EXPECT_NE(outcome.out.find(words), std::string::npos) << words << " in\n" << outcome.out;
  EXPECT_EQ(content(path("jet.png")).substr(1, 3), "PNG");
}

// Steps are those of the stream, not of the empty scene before it, which are far longer.
TEST_F(Commands, CheckCountsTheStepsOfAStream) {
  const Outcome outcome = firn({"check", write("stream.json", R"({
    "dimension": 2, "frames": 10, "fps": 20, "grid": {"spacing": 0.02},
    "materials": {"sand": {"model": "sand"}},
    "emitters": [{"name": "spout", "shape": {"type": "rectangle", "size": [0.1, 0.04]},
                  "velocity": [0, -1], "material": "sand", "start": 0.01}]
  })")});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  double first = 0, steps = 0;
  const std::size_t line = outcome.out.find("time step");
  ASSERT_NE(line, std::string::npos) << outcome.out;
  ASSERT_EQ(
      std::sscanf(outcome.out.c_str() + line, "time step %lf s at first, %lf", &first, &steps), 2);
  EXPECT_GT(first * steps, 0.7 / 20) << outcome.out;
  EXPECT_LT(first * steps, 3.0 / 20) << outcome.out;
}

// At first all is at rest, and a frame is the longest step; the pin, which moves 2 cells a frame,
// shortens it.
TEST_F(Commands, CheckCountsImplicitStepsAsTheyAreTaken) {
  const Outcome outcome = firn({"check", write("dragged.json", R"({
    "dimension": 2, "frames": 4, "fps": 10, "grid": {"spacing": 0.1}, "integrator": "optimization",
    "materials": {"rubber": {"model": "fixed_corotated"}},
    "objects": [{"shape": {"type": "rectangle", "size": [1, 1]}, "material": "rubber"}],
    "colliders": [{"shape": {"type": "rectangle", "size": [2, 0.4], "center": [0, 0.5]},
                   "contact": "pin", "motion": {"translation": ["2*t", 0]}}]
  })")});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  double first = 0, steps = 0;
  const std::size_t line = outcome.out.find("time step");
  ASSERT_NE(line, std::string::npos) << outcome.out;
  ASSERT_EQ(
      std::sscanf(outcome.out.c_str() + line, "time step %lf s at first, %lf", &first, &steps), 2);
  EXPECT_LT(first, 0.05) << outcome.out;
  EXPECT_GE(steps, 3) << outcome.out;
}

TEST_F(Commands, RunsThatBeginEmptyAreShown) {
  ASSERT_EQ(firn({"run", write("jet.json", kFountain), "--out", "run", "--format", "ply,vtu,bgeo"})
                .status,
            0);
  const Outcome info = firn({"info", "run/frames/frame_0000.ply", "--json"});
  ASSERT_EQ(info.status, 0) << info.err;
  EXPECT_EQ(Json::parse(info.out).at("particles"), 0);
  EXPECT_GT(Json::parse(firn({"info", "run", "--json"}).out).at("particles"), 0);
  EXPECT_EQ(Json::parse(lines_of(content(path("run/stats.jsonl")))[0]).at("mass"), 0.0);
  for (const char* frame : {"0", "4"}) {
    const Outcome still = firn({"render", "run", "-o", "still.png", "--frame", frame, "--size",
                                "64x48", "--color-by", "velocity"});
    EXPECT_EQ(still.status, 0) << still.err;
  }
}

TEST_F(Commands, EveryMistakeOfAFileGetsALine) {
  for (const char* command : {"check", "run"}) {
    const std::string scene = test_scene("many_mistakes.json");
    const Outcome outcome = firn({command, scene});
    EXPECT_EQ(outcome.status, 2);
    const std::vector<std::string> lines = lines_of(outcome.err);
    ASSERT_EQ(lines.size(), 4u) << outcome.err;
    for (const std::string& line : lines) EXPECT_EQ(line.find(scene + ": /"), 0u) << line;
    EXPECT_NE(outcome.err.find("/objects/0/material"), std::string::npos);
    EXPECT_NE(outcome.err.find("did you mean \"sand\"?"), std::string::npos);
    EXPECT_TRUE(files_below(path("")).empty());
  }
}

TEST_F(Commands, WhatASceneLacksIsOneSentence) {
  const std::string scene = test_scene("mixed_2d.json");
  const auto line = [&](const char* setting) {
    return firn({"check", scene, "--set", setting}).err;
  };
  EXPECT_EQ(line("/objects/0/species=water").find(scene + ": /porous: the scene has species "), 0u);
}

// The two ways to write the keys of a solver are one scene: the same frames, and a run that began
// with one goes on with the other. A run's own scene takes either.
TEST_F(Commands, KeysOfTheSolverInEitherPlace) {
  const std::string scene = test_scene("mixed_2d.json");
  const std::string object = "/solver={\"type\":\"mpm\",\"transfer\":\"apic\"}";
  ASSERT_EQ(firn({"run", scene, "--frames", "2", "--out", "a", "--set", "/transfer=apic"}).status,
            0);
  ASSERT_EQ(firn({"run", scene, "--frames", "1", "--out", "b", "--set", object}).status, 0);
  const Outcome resumed =
      firn({"run", scene, "--frames", "2", "--out", "b", "--resume", "--set", "/transfer=apic"});
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  expect_same_frames(path("a"), path("b"));
  const Outcome again =
      firn({"run", "b/scene.json", "--frames", "1", "--out", "c", "--set", "/transfer=pic"});
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(Json::parse(content(path("c/scene.json")))["solver"]["transfer"], "pic");
}

TEST_F(Commands, InfoOfFrameCheckpointAndSceneAgree) {
  ASSERT_EQ(firn({"run", test_scene("mixed_2d.json"), "--frames", "2", "--out", "run"}).status, 0);
  const Json frame = Json::parse(firn({"info", "run/frames/frame_0002.ply", "--json"}).out);
  const Json checkpoint = Json::parse(firn({"info", "run/checkpoint.h5", "--json"}).out);
  const Json scene = Json::parse(firn({"info", "run/scene.json", "--json"}).out);
  const Json stats = Json::parse(lines_of(content(path("run/stats.jsonl"))).back());
  EXPECT_EQ(frame.at("kind"), "frame");
  EXPECT_EQ(checkpoint.at("kind"), "checkpoint");
  EXPECT_EQ(scene.at("kind"), "scene");
  EXPECT_EQ(frame.at("frame"), 2);
  EXPECT_EQ(checkpoint.at("frame"), 2);
  EXPECT_EQ(frame.at("particles"), checkpoint.at("particles"));
  const double mass = checkpoint.at("mass");
  EXPECT_NEAR(frame.at("mass").get<double>(), mass, 1e-5 * mass);
  EXPECT_NEAR(frame.at("momentum")[1].get<double>(), checkpoint.at("momentum")[1].get<double>(),
              1e-4 * std::abs(checkpoint.at("momentum")[1].get<double>()));
  for (const char* key : {"kinetic", "elastic", "gravity_potential", "max_speed", "time"})
    EXPECT_EQ(checkpoint.at(key), stats.at(key)) << key;
  EXPECT_LT(frame.at("bounds").at("max")[0].get<double>(), 1.0);
  EXPECT_EQ(firn({"info", "run"}).status, 0);
}

TEST_F(Commands, RenderMakesAStillOfARun) {
  ASSERT_EQ(firn({"run", test_scene("mixed_2d.json"), "--frames", "1", "--out", "run"}).status, 0);
  const Outcome still = firn({"render", "run", "-o", "still.png", "--size", "64x48"});
  EXPECT_EQ(still.status, 0) << still.err;
  EXPECT_EQ(content(path("still.png")).substr(1, 3), "PNG");
  EXPECT_EQ(firn({"render", "run", "--frame", "7"}).status, 2);
  EXPECT_EQ(firn({"render", "run", "-o", "still.gif"}).status, 2);
  EXPECT_EQ(firn({"render", "run", "--set", "/gravity=[0,0]"}).status, 2);
}

// What colours the picture is in the frames without being asked for.
TEST_F(Commands, RunWritesTheFieldThatColours) {
  const std::string scene = test_scene("mixed_2d.json");
  ASSERT_EQ(
      firn({"run", scene, "--frames", "1", "--out", "run", "--set", "/view/color_by=mass"}).status,
      0);
  EXPECT_EQ(firn({"render", "run", "-o", "still.png", "--size", "64x48"}).status, 0);
}

}  // namespace
}  // namespace firn::test
