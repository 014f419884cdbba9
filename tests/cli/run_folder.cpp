// The folder of a run: refused, replaced, continued, extended.
#include <nlohmann/json.hpp>

#include "program.h"

namespace firn::test {
namespace {

using Json = nlohmann::json;

class RunFolderTest : public ProgramTest {
 protected:
  Outcome run(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"run", test_scene("mixed_2d.json"), "--threads", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return firn(arguments);
  }
};

TEST_F(RunFolderTest, HoldsWhatTheContractSays) {
  const Outcome outcome = run({});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const fs::path folder = path("out/mixed_2d");
  expect_whole_run(folder, 6);
  for (const std::string& line : lines_of(content(folder / "stats.jsonl"))) {
    const Json stats = Json::parse(line);
    for (const char* key : {"frame", "time", "steps", "dt_min", "dt_max", "particles", "mass",
                            "momentum", "angular_momentum", "kinetic", "elastic",
                            "gravity_potential", "max_speed", "grid_nodes", "wall", "phases"})
      EXPECT_TRUE(stats.contains(key)) << key;
    EXPECT_EQ(stats["momentum"].size(), 2u);
    EXPECT_EQ(stats["angular_momentum"].size(), 1u);
    EXPECT_NEAR(stats["time"].get<double>(), stats["frame"].get<int>() / 60.0, 1e-12);
  }
}

TEST_F(RunFolderTest, ProbesHaveALineAFrameAlsoWhenContinued) {
  const std::string scene = test_scene("varied_2d.json");
  ASSERT_EQ(firn({"run", scene, "--out", "whole"}).status, 0);
  const std::string probes = content(path("whole/probes.csv"));
  const std::vector<std::string> lines = lines_of(probes);
  ASSERT_EQ(lines.size(), 8u);
  EXPECT_EQ(lines[0],
            "frame,time,seam.vx,seam.vy,seam.pressure,seam.temperature,above.density,above.vx,"
            "above.vy,above.pressure,rate.mass_rate,rate.volume_rate,level.height");
  EXPECT_EQ(lines[1].rfind("0,0,", 0), 0u);
  EXPECT_NE(lines[7].find(",,,,,"), std::string::npos);  // nothing is above
  const Json stats = Json::parse(lines_of(content(path("whole/stats.jsonl"))).back());
  EXPECT_GT(stats["probes"]["seam"]["temperature"].get<double>(), 200);
  EXPECT_TRUE(stats["probes"]["above"]["density"].is_null());
  EXPECT_FALSE(stats.contains("gravity_potential"));

  ASSERT_EQ(firn({"run", scene, "--out", "parts", "--frames", "3"}).status, 0);
  // As after a run that was killed while it wrote frame 4.
  write("parts/probes.csv", content(path("parts/probes.csv")) + "4,0.0666,1\n5,0.08");
  ASSERT_EQ(firn({"run", scene, "--out", "parts", "--resume", "--frames", "6"}).status, 0);
  EXPECT_EQ(content(path("parts/probes.csv")), probes);
  expect_same_frames(path("whole"), path("parts"));
  ASSERT_EQ(firn({"run", scene, "--out", "parts", "--overwrite", "--frames", "1"}).status, 0);
  EXPECT_EQ(lines_of(content(path("parts/probes.csv"))).size(), 3u);
}

TEST_F(RunFolderTest, SceneInTheFolderReproducesTheRun) {
  ASSERT_EQ(
      run({"--out", "a", "--set", "/materials/jelly/youngs_modulus=40000", "--frames", "3"}).status,
      0);
  const Json scene = Json::parse(content(path("a/scene.json")));
  EXPECT_EQ(scene["materials"]["jelly"]["youngs_modulus"], 40000);
  EXPECT_EQ(scene["frames"], 3);
  EXPECT_TRUE(scene["materials"]["snow"].contains("hardening"));
  ASSERT_EQ(firn({"run", "a/scene.json", "--out", "b"}).status, 0);
  expect_same_frames(path("a"), path("b"));
  ASSERT_EQ(run({"--out", "c", "--frames", "3"}).status, 0);
  EXPECT_NE(content(path("a/frames/frame_0003.ply")), content(path("c/frames/frame_0003.ply")));
}

TEST_F(RunFolderTest, ExistingRunIsRefusedAndUntouched) {
  ASSERT_EQ(run({"--out", "a", "--frames", "1"}).status, 0);
  const std::string checkpoint = content(path("a/checkpoint.h5"));
  const Outcome again = run({"--out", "a", "--frames", "2"});
  EXPECT_EQ(again.status, 2);
  EXPECT_NE(again.err.find("--overwrite"), std::string::npos);
  EXPECT_EQ(content(path("a/checkpoint.h5")), checkpoint);
  expect_whole_run(path("a"), 1);
}

TEST_F(RunFolderTest, OverwriteRemovesOnlyWhatFirnWrote) {
  ASSERT_EQ(run({"--out", "a", "--frames", "4"}).status, 0);
  write("a/notes.txt", "mine");
  write("a/frames/frame_note.ply", "mine");
  ASSERT_EQ(run({"--out", "a", "--frames", "2", "--overwrite"}).status, 0);
  EXPECT_EQ(content(path("a/notes.txt")), "mine");
  EXPECT_EQ(content(path("a/frames/frame_note.ply")), "mine");
  fs::remove(path("a/notes.txt"));
  fs::remove(path("a/frames/frame_note.ply"));
  expect_whole_run(path("a"), 2);
}

TEST_F(RunFolderTest, ForeignFilesAreNeverReplaced) {
  for (const std::string file : {"scene.json", "run.pvd"}) {
    SCOPED_TRACE(file);
    const std::string folder = "of_" + file;
    fs::create_directory(path(folder));
    write(folder + "/" + file, "mine");
    for (const char* mode : {"--quiet", "--overwrite", "--resume"}) {
      EXPECT_EQ(run({"--out", folder, mode}).status, 2) << mode;
      EXPECT_EQ(files_below(path(folder)), std::vector<std::string>{file});
    }
    EXPECT_EQ(content(path(folder + "/" + file)), "mine");
  }
}

TEST_F(RunFolderTest, FinishedRunIsExtendedToTheSameBytes) {
  ASSERT_EQ(run({"--out", "whole", "--frames", "5"}).status, 0);
  ASSERT_EQ(run({"--out", "parts", "--frames", "2"}).status, 0);
  ASSERT_EQ(run({"--out", "parts", "--resume", "--frames", "5"}).status, 0);
  expect_whole_run(path("parts"), 5);
  expect_same_frames(path("whole"), path("parts"));
  // Nothing is left to do, and the number of frames is remembered.
  ASSERT_EQ(run({"--out", "parts", "--resume"}).status, 0);
  ASSERT_EQ(firn({"run", "parts", "--resume"}).status, 0);
  expect_whole_run(path("parts"), 5);
}

TEST_F(RunFolderTest, PrecisionIsRememberedAndCannotChange) {
  ASSERT_EQ(run({"--out", "whole", "--frames", "3", "--precision", "double"}).status, 0);
  ASSERT_EQ(run({"--out", "parts", "--frames", "1", "--precision", "double"}).status, 0);
  EXPECT_EQ(run({"--out", "parts", "--resume", "--frames", "3", "--precision", "float"}).status, 2);
  ASSERT_EQ(run({"--out", "parts", "--resume", "--frames", "3"}).status, 0);
  expect_same_frames(path("whole"), path("parts"));
}

TEST_F(RunFolderTest, AnotherSceneCannotResume) {
  ASSERT_EQ(run({"--out", "a", "--frames", "1"}).status, 0);
  const Outcome other =
      run({"--out", "a", "--resume", "--frames", "3", "--set", "/materials/sand/cohesion=10"});
  EXPECT_EQ(other.status, 2);
  EXPECT_NE(other.err.find("/materials/sand/cohesion"), std::string::npos) << other.err;
  expect_whole_run(path("a"), 1);
  // What does not touch the motion may change.
  EXPECT_EQ(
      run({"--out", "a", "--resume", "--frames", "3", "--set", "/output/checkpoint_interval=5"})
          .status,
      0);
}

TEST_F(RunFolderTest, ResumeWithoutARunStartsOneAndSaysSo) {
  const Outcome outcome = run({"--out", "a", "--resume", "--frames", "1"});
  ASSERT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.out.find("no run to resume is there: it starts at frame 0"), std::string::npos)
      << outcome.out;
  expect_whole_run(path("a"), 1);
  EXPECT_EQ(run({"--out", "a", "--resume", "--frames", "2"}).out.find("no run"), std::string::npos);
}

// A run keeps writing what it was started with, and forgets it when it is replaced.
TEST_F(RunFolderTest, ParaviewFilesFollowTheFrames) {
  const std::string scene = test_scene("mixed_2d.json");
  ASSERT_EQ(firn({"run", scene, "--frames", "1", "--out", "run", "--format", "ply,vtu"}).status, 0);
  ASSERT_EQ(firn({"run", scene, "--frames", "2", "--out", "run", "--resume"}).status, 0);
  const std::string collection = content(path("run/run.pvd"));
  for (const char* frame : {"frame_0000", "frame_0001", "frame_0002"}) {
    EXPECT_TRUE(std::filesystem::exists(path("run/frames/" + std::string(frame) + ".vtu")));
    EXPECT_NE(collection.find("file=\"frames/" + std::string(frame) + ".vtu\""), std::string::npos);
  }
  ASSERT_EQ(firn({"run", scene, "--frames", "1", "--out", "run", "--overwrite"}).status, 0);
  EXPECT_FALSE(std::filesystem::exists(path("run/run.pvd")));
  EXPECT_FALSE(std::filesystem::exists(path("run/frames/frame_0000.vtu")));
  EXPECT_EQ(firn({"run", scene, "--out", "other", "--format", "vtk"}).status, 2);
}

TEST_F(RunFolderTest, QuietSaysNothing) {
  const Outcome outcome = run({"--frames", "1", "--quiet"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

}  // namespace
}  // namespace firn::test
