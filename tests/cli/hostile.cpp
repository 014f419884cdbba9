// What users try who mean no good, or mistype: one clear line that names the cause, and no hang.
#include "program.h"
#include "run/checkpoint.h"

namespace firn::test {
namespace {

using Lines = std::vector<std::string>;

class Hostile : public ProgramTest {
 protected:
  Outcome run(const Lines& more) {
    Lines arguments = {"run", test_scene("mixed_2d.json"), "--threads", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return firn(arguments);
  }
};

// Results that nobody gets are no success.
TEST_F(Hostile, AFullDiskBehindStandardOutputIsAFailure) {
  ASSERT_EQ(run({"--out", "a", "--frames", "1"}).status, 0);
  const std::vector<Lines> commands = {{"check", test_scene("mixed_2d.json")},
                                       {"info", "a"},
                                       {"info", "a/frames/frame_0001.ply", "--json"},
                                       {"scenes"},
                                       {"materials"},
                                       {"schema"},
                                       {"validate", "--list"},
                                       {"--version"},
                                       {"run", "--help"}};
  for (const Lines& arguments : commands) {
    const Outcome whole = firn(arguments);
    if (whole.status != 0) continue;  // no such option
    Limits full;
    full.out = "/dev/full";
    const Outcome outcome = firn(arguments, full);
    EXPECT_EQ(outcome.status, 1) << arguments[0];
    ASSERT_EQ(lines_of(outcome.err).size(), 1u) << arguments[0] << ": " << outcome.err;
    EXPECT_NE(outcome.err.find("No space left"), std::string::npos) << outcome.err;
  }
  Limits full;
  full.out = "/dev/full";
  // The results of a run are its files.
  EXPECT_EQ(firn({"run", test_scene("mixed_2d.json"), "--frames", "1", "--out", "b"}, full).status,
            0);
}

TEST_F(Hostile, ACheckpointOfAnotherSceneIsRefused) {
  ASSERT_EQ(run({"--out", "a", "--frames", "1"}).status, 0);
  ASSERT_EQ(
      run({"--out", "b", "--frames", "1", "--set", "/materials/jelly/youngs_modulus=30000"}).status,
      0);
  fs::copy_file(path("b/checkpoint.h5"), path("a/checkpoint.h5"),
                fs::copy_options::overwrite_existing);
  const Outcome outcome = run({"--out", "a", "--resume", "--frames", "3"});
  EXPECT_EQ(outcome.status, 2);
  ASSERT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
  EXPECT_NE(outcome.err.find("/materials/jelly/youngs_modulus"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("a/checkpoint.h5"), std::string::npos) << outcome.err;
  expect_whole_run(path("a"), 1);
}

// The settings are compared, not how they are written; what does not touch the motion may differ.
TEST_F(Hostile, ACheckpointOfTheSameSceneWrittenInAnotherWayIsTaken) {
  ASSERT_EQ(run({"--out", "a", "--frames", "1"}).status, 0);
  Result<Checkpoint> checkpoint = read_checkpoint(path("a/checkpoint.h5"));
  ASSERT_TRUE(checkpoint.ok());
  std::string& text = checkpoint->scene;
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;)
    text.replace(at, 1, "\t");
  ASSERT_TRUE(write_checkpoint(path("a/checkpoint.h5"), std::move(*checkpoint)).ok());
  const Outcome outcome = run({"--out", "a", "--resume", "--frames", "2", "--set",
                               "/view/legend=false", "--set", "/output/fields/-=volume"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST_F(Hostile, ColouringByAFieldThatFramesLackSaysWhatToDo) {
  ASSERT_EQ(run({"--out", "a", "--frames", "1"}).status, 0);
  const Outcome outcome = firn({"render", "a", "-o", "a.png", "--size", "40x30", "--renderer",
                                "cpu", "--color-by", "pressure"});
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.err.find("/output/fields"), std::string::npos) << outcome.err;
}

TEST_F(Hostile, MeshesGoOnAfterADamagedFrame) {
  ASSERT_EQ(firn({"run", test_scene("mixed_3d.json"), "--frames", "2", "--out", "a"}).status, 0);
  fs::resize_file(path("a/frames/frame_0001.ply"), 300);
  const Outcome outcome = firn({"mesh", "a"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("frame_0001.ply"), std::string::npos) << outcome.err;
  EXPECT_EQ(files_below(path("a/meshes")), (Lines{"mesh_0000.ply", "mesh_0002.ply"}));
  for (const char* name : {"a/frames/frame_0000.ply", "a/frames/frame_0002.ply"})
    fs::resize_file(path(name), 300);
  EXPECT_EQ(firn({"mesh", "a"}).status, 1);
}

// Not cfl: nobody would find the cause.
TEST_F(Hostile, AbsurdSpeedsAreNamed) {
  for (const std::string speed : {"1e8", "1e20", "1e30", "1e200"}) {
    const Outcome outcome = run({"--out", "a", "--overwrite", "--frames", "1", "--set",
                                 "/objects/0/velocity=[" + speed + ",0]"});
    EXPECT_NE(outcome.status, 0) << speed;
    EXPECT_NE(outcome.err.find("m/s"), std::string::npos) << speed << ": " << outcome.err;
    EXPECT_EQ(outcome.err.find("cfl"), std::string::npos) << outcome.err;
  }
  for (const std::string gravity : {"-1e9", "-1e15", "-1e30", "-1e200"}) {
    const Outcome outcome = run(
        {"--out", "a", "--overwrite", "--frames", "1", "--set", "/gravity=[0," + gravity + "]"});
    EXPECT_NE(outcome.status, 0) << gravity;
    EXPECT_NE(outcome.err.find("gravity"), std::string::npos) << gravity << ": " << outcome.err;
    EXPECT_EQ(outcome.err.find("cfl"), std::string::npos) << outcome.err;
  }
}

TEST_F(Hostile, AbsurdEmittersDoNotHangCheck) {
  for (const std::string setting : {"/emitters/0/rate=1e8", "/emitters/0/rate=1e6",
                                    "/emitters/0/rate=1e300", "/emitters/0/velocity=[1e9,0]",
                                    "/emitters/0/velocity=[1e5,0]", "/emitters/0/rate=1e-300"}) {
    const Outcome outcome = firn({"check", test_scene("flow_2d.json"), "--set", setting});
    EXPECT_LE(outcome.status, 2) << setting << ": " << outcome.err;  // no signal
    EXPECT_LE(lines_of(outcome.err).size(), 1u) << setting << ": " << outcome.err;
  }
}

// The steps that check expects are those that are taken, about: bodies that fall need shorter ones.
TEST_F(Hostile, CheckExpectsTheStepsThatARunTakes) {
  const std::string scene = write("fall.json", R"({
    "dimension": 2, "frames": 20, "fps": 20, "grid": {"spacing": 0.05},
    "materials": {"jelly": {"model": "neo_hookean", "youngs_modulus": 1000}},
    "objects": [{"name": "block", "shape": {"type": "rectangle", "size": [0.5, 0.5], "center": [0, 5]},
                 "material": "jelly"}],
    "colliders": [{"name": "floor", "shape": {"type": "plane", "point": [0, 0]}}]})");
  const Outcome check = firn({"check", scene});
  ASSERT_EQ(check.status, 0) << check.err;
  const std::size_t at = check.out.find("about ");
  ASSERT_NE(at, std::string::npos);
  const double expected = std::stod(check.out.substr(at + 6));
  ASSERT_EQ(firn({"run", scene, "--out", "a"}).status, 0);
  double taken = 0;
  for (const std::string& line : lines_of(content(path("a/stats.jsonl")))) {
    const auto number = [&](const std::string& key) {
      const std::size_t begin = line.find("\"" + key + "\":");
      return begin == std::string::npos ? 0 : std::stod(line.substr(begin + key.size() + 3));
    };
    taken += number("steps") * number("particles");
  }
  EXPECT_NEAR(expected / taken, 1, 0.3) << expected << " of " << taken;
}

}  // namespace
}  // namespace firn::test
