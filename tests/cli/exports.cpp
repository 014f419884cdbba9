// Other formats of a run, and surface meshes, through the program.
#include "frames/ply.h"
#include "program.h"

namespace firn::test {
namespace {

class ExportsTest : public ProgramTest {
 protected:
  Outcome run(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"run", test_scene("mixed_3d.json"), "--frames", "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return firn(arguments);
  }
  void expect_refused(const std::vector<std::string>& arguments, const std::string& reason) {
    const Outcome outcome = firn(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments.back();
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
    EXPECT_NE(outcome.err.find(reason), std::string::npos) << outcome.err;
  }
};

// Whatever formats ask for, PLY frames are what the fields of the scene say.
TEST_F(ExportsTest, FormatsLeaveTheFramesAlone) {
  const std::string fields = "/output/fields=[\"velocity\"]";
  ASSERT_EQ(run({"--out", "plain", "--set", fields}).status, 0);
  const Outcome outcome =
      run({"--out", "all", "--set", fields, "--format", "ply,vtu,bgeo,vdb", "--threads", "1"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  ASSERT_EQ(
      run({"--out", "again", "--set", fields, "--format", "vtu,bgeo,vdb", "--threads", "2"}).status,
      0);
  for (const std::string frame : {"frames/frame_0000", "frames/frame_0001"}) {
    EXPECT_EQ(content(path("plain/" + frame + ".ply")), content(path("all/" + frame + ".ply")));
    for (const std::string format : {".vtu", ".bgeo", ".vdb"}) {
      SCOPED_TRACE(frame + format);
      ASSERT_TRUE(fs::exists(path("all/" + frame + format)));
      EXPECT_EQ(content(path("all/" + frame + format)), content(path("again/" + frame + format)));
    }
  }
  const std::string bgeo = content(path("all/frames/frame_0001.bgeo"));
  for (const char* name : {"pscale", "Cd", "id", "material"})
    EXPECT_NE(bgeo.substr(0, 400).find(name), std::string::npos) << name;
  EXPECT_EQ(content(path("all/frames/frame_0001.vtu")).find("\"volume\""), std::string::npos);
}

// A finished run gets the files that it would have had from the start.
TEST_F(ExportsTest, FormatsCanBeAddedLater) {
  const std::string all = "ply,vtu,bgeo,vdb";
  const std::string fields =
      R"(/output/fields=["velocity","id","material","color","mass","volume"])";
  ASSERT_EQ(run({"--out", "at_once", "--set", fields, "--format", all}).status, 0);
  ASSERT_EQ(run({"--out", "later", "--set", fields}).status, 0);
  const Outcome outcome = firn({"run", "later", "--resume", "--format", all});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  for (const std::string file : {"frames/frame_0000.vtu", "frames/frame_0001.bgeo",
                                 "frames/frame_0001.vdb", "run.pvd", "scene.json"}) {
    SCOPED_TRACE(file);
    ASSERT_TRUE(fs::exists(path("later/" + file)));
    EXPECT_EQ(content(path("later/" + file)), content(path("at_once/" + file)));
  }
}

TEST_F(ExportsTest, OneDamagedFrameDoesNotKeepTheOthersBack) {
  ASSERT_EQ(run({"--out", "a"}).status, 0);
  fs::resize_file(path("a/frames/frame_0000.ply"), 100);
  const Outcome outcome = firn({"run", "a", "--resume", "--format", "ply,vtu"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;  // the run is not complete
  EXPECT_NE((outcome.out + outcome.err).find("frame 0"), std::string::npos);
  EXPECT_FALSE(fs::exists(path("a/frames/frame_0000.vtu")));
  EXPECT_TRUE(fs::exists(path("a/frames/frame_0001.vtu")));
}

TEST_F(ExportsTest, WhatEarlierFramesLackIsTold) {
  ASSERT_EQ(run({"--out", "a", "--set", "/output/fields=[\"velocity\"]"}).status, 0);
  const Outcome outcome =
      firn({"run", "a", "--resume", "--frames", "2", "--format", "ply,vtu,bgeo"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(
      (outcome.out + outcome.err).find("earlier frames are not written as bgeo: they lack id"),
      std::string::npos)
      << outcome.out << outcome.err;
  EXPECT_TRUE(fs::exists(path("a/frames/frame_0000.vtu")));
  EXPECT_FALSE(fs::exists(path("a/frames/frame_0001.bgeo")));
  EXPECT_TRUE(fs::exists(path("a/frames/frame_0002.bgeo")));
}

TEST_F(ExportsTest, OverwritingRemovesEveryFormat) {
  ASSERT_EQ(run({"--out", "a", "--format", "bgeo,vdb"}).status, 0);
  ASSERT_EQ(run({"--out", "a", "--overwrite"}).status, 0);
  EXPECT_FALSE(fs::exists(path("a/frames/frame_0000.bgeo")));
  EXPECT_FALSE(fs::exists(path("a/frames/frame_0001.vdb")));
}

TEST_F(ExportsTest, VolumesAreForThreeDimensions) {
  const std::string flat = test_scene("mixed_2d.json");
  expect_refused({"run", flat, "--out", "a", "--format", "vdb"}, "vdb is for 3D scenes");
  expect_refused({"run", flat, "--out", "a", "--set", "/output/formats=[\"vdb\"]"},
                 "vdb is for 3D scenes");
  EXPECT_FALSE(fs::exists(path("a")));
  ASSERT_EQ(firn({"run", flat, "--out", "b", "--frames", "1", "--format", "bgeo"}).status, 0);
  expect_refused({"mesh", "b"}, "3D");
  EXPECT_FALSE(fs::exists(path("b/meshes")));
}

// Files may have 200 kB: enough for the frame, too little for its volumes.
TEST_F(ExportsTest, VolumesThatDoNotFitOnTheDiskStopTheRun) {
  const Outcome outcome = firn({"run", test_scene("mixed_3d.json"), "--out", "a", "--format", "vdb",
                                "--quiet", "--set", "/output/fields=[]"},
                               Limits{200000});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("frame_0000.vdb: cannot write"), std::string::npos) << outcome.err;
  EXPECT_EQ(files_below(path("a/frames")), std::vector<std::string>{});
}

TEST_F(ExportsTest, MeshesOfARun) {
  ASSERT_EQ(run({"--out", "a"}).status, 0);
  const Outcome all = firn({"mesh", "a", "--threads", "1"});
  ASSERT_EQ(all.status, 0) << all.err;
  EXPECT_EQ(files_below(path("a/meshes")),
            (std::vector<std::string>{"mesh_0000.ply", "mesh_0001.ply"}));
  const Result<Frame> whole = read_ply(path("a/meshes/mesh_0001.ply"));
  ASSERT_TRUE(whole) << whole.errors().front();
  EXPECT_GT(whole->count, 1000u);
  EXPECT_TRUE(whole->has("vx"));

  ASSERT_EQ(firn({"mesh", "a", "-o", "b", "--frame", "1..1", "--threads", "2"}).status, 0);
  EXPECT_EQ(files_below(path("b")), std::vector<std::string>{"mesh_0001.ply"});
  EXPECT_EQ(content(path("b/mesh_0001.ply")), content(path("a/meshes/mesh_0001.ply")));

  ASSERT_EQ(firn({"mesh", "a", "-o", "c", "--material", "water", "--format", "obj"}).status, 0);
  ASSERT_EQ(firn({"mesh", "a", "-o", "d", "--material", "2", "--format", "obj"}).status, 0);
  EXPECT_EQ(content(path("c/mesh_0000.obj")), content(path("d/mesh_0000.obj")));
  EXPECT_EQ(content(path("c/mesh_0000.obj")).substr(0, 2), "v ");
}

TEST_F(ExportsTest, MeshRefusesWhatIsNotThere) {
  ASSERT_EQ(run({"--out", "a"}).status, 0);
  expect_refused({"mesh", "nowhere"}, "no such folder");
  expect_refused({"mesh", "a", "--frame", "7"}, "the run has 0 to 1");
  expect_refused({"mesh", "a", "--frame", "3..x"}, "--frame");
  expect_refused({"mesh", "a", "--material", "watr"}, "did you mean \"water\"");
  expect_refused({"mesh", "a", "--voxel", "1e-9"}, "--voxel");
  expect_refused({"mesh", "a", "--format", "stl"}, "stl");
  EXPECT_FALSE(fs::exists(path("a/meshes")));
}

}  // namespace
}  // namespace firn::test
