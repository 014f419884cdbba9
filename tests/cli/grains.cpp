// Fine grains from the command line: firn run, upsample, render, mesh.
#include "program.h"

namespace firn::test {
namespace {

class Grains : public ProgramTest {
 protected:
  std::string scene_ = write("sand.json", R"({
      "dimension": 3, "frames": 3, "fps": 50, "grid": {"spacing": 0.05}, "solver": {"type": "sph"},
      "materials": {"dry": {"model": "sand", "friction_angle": 30}},
      "objects": [{"name": "block", "material": "dry", "density": 1500,
                   "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "center": [0, 0.11, 0]}}],
      "colliders": [{"name": "floor", "shape": {"type": "plane", "point": [0, 0, 0]},
                     "friction": 0.5}],
      "grains": {"per_particle": 14}})");

  bool has(const std::string& name) const { return fs::exists(path(name)); }
};

TEST_F(Grains, ARunWritesThemBesideItsFrames) {
  const Outcome run = firn({"run", scene_, "--out", "a"});
  ASSERT_EQ(run.status, 0) << run.err;
  for (const char* name : {"a/frames/grains_0000.ply", "a/frames/grains_0003.ply"})
    EXPECT_TRUE(has(name)) << name;
  EXPECT_FALSE(has("a/grains.pvd"));
  EXPECT_NE(content(path("a/stats.jsonl")).find("\"grains\":"), std::string::npos);
  const Outcome info = firn({"info", "a/frames/grains_0003.ply"});
  EXPECT_EQ(info.status, 0) << info.err;
  const Outcome render =
      firn({"render", "a", "--grains", "--frame", "2", "-o", "x.png", "--renderer", "cpu"});
  EXPECT_EQ(render.status, 0) << render.err;
  EXPECT_TRUE(has("x.png"));
  const Outcome mesh = firn({"mesh", "a", "--grains", "--frame", "2"});
  EXPECT_EQ(mesh.status, 0) << mesh.err;
  EXPECT_TRUE(has("a/meshes/mesh_0002.ply"));
}

TEST_F(Grains, ResumingGivesTheSameFiles) {
  ASSERT_EQ(firn({"run", scene_, "--out", "a"}).status, 0);
  ASSERT_EQ(firn({"run", scene_, "--out", "b", "--frames", "1"}).status, 0);
  ASSERT_EQ(firn({"run", scene_, "--out", "b", "--frames", "3", "--resume"}).status, 0);
  for (const char* name : {"frames/grains_0001.ply", "frames/grains_0003.ply"})
    EXPECT_EQ(content(path("a") / name), content(path("b") / name)) << name;
}

// Whether the run writes them itself, is resumed, gets formats afterwards or is upsampled.
TEST_F(Grains, AreInEveryFormatOfARun) {
  const std::string all = "ply,vtu,bgeo,vdb";
  const std::vector<std::string> formats = {"ply", "vtu", "bgeo", "vdb"};
  const auto expect_same = [&](const std::string& folder, const std::vector<std::string>& which) {
    for (const std::string& format : which)
      for (const char* number : {"0000", "0002", "0003"}) {
        const std::string name = std::string("frames/grains_") + number + "." + format;
        ASSERT_TRUE(has(folder + "/" + name)) << folder << " " << name;
        EXPECT_EQ(content(path("a") / name), content(path(folder) / name)) << folder << name;
      }
    EXPECT_EQ(content(path("a/grains.pvd")), content(path(folder) / "grains.pvd")) << folder;
  };
  ASSERT_EQ(firn({"run", scene_, "--out", "a", "--format", all, "--threads", "1"}).status, 0);
  EXPECT_NE(content(path("a/grains.pvd")).find("frames/grains_0003.vtu"), std::string::npos);
  EXPECT_EQ(content(path("a/frames/grains_0003.ply")).find("property float mass"),
            std::string::npos);
  ASSERT_EQ(firn({"run", scene_, "--out", "b", "--format", all, "--frames", "1", "--threads", "2"})
                .status,
            0);
  ASSERT_EQ(
      firn({"run", scene_, "--out", "b", "--format", all, "--frames", "3", "--resume"}).status, 0);
  expect_same("b", formats);
  ASSERT_EQ(firn({"run", scene_, "--out", "c"}).status, 0);
  const Outcome later = firn({"run", scene_, "--out", "c", "--resume", "--format", all});
  ASSERT_EQ(later.status, 0) << later.err;
  expect_same("c", {"ply", "vtu"});
  EXPECT_NE((later.out + later.err).find("firn upsample --overwrite"), std::string::npos)
      << later.out << later.err;
  const Outcome made = firn({"upsample", "c", "--overwrite"});
  ASSERT_EQ(made.status, 0) << made.err;
  for (const std::string& format : formats)
    EXPECT_TRUE(has("c/frames/grains_0003." + format)) << format;
  // And nothing of it stays when a run begins anew.
  ASSERT_EQ(firn({"run", scene_, "--out", "a", "--overwrite", "--set", "/frames=1"}).status, 0);
  EXPECT_FALSE(has("a/grains.pvd"));
  for (const std::string& format : formats)
    EXPECT_FALSE(has("a/frames/grains_0003." + format)) << format;
}

TEST_F(Grains, UpsampleMakesThemOfAnyRun) {
  const std::string plain = write("plain.json", R"({
      "dimension": 2, "frames": 3, "fps": 50, "grid": {"spacing": 0.05},
      "materials": {"jelly": {"model": "neo_hookean"}},
      "objects": [{"name": "block", "material": "jelly", "density": 1000,
                   "shape": {"type": "rectangle", "size": [0.3, 0.3], "center": [0, 0.2]}}]})");
  ASSERT_EQ(firn({"run", plain, "--out", "p"}).status, 0);
  const Outcome without = firn({"render", "p", "--grains", "--frame", "1", "-o", "x.png"});
  EXPECT_EQ(without.status, 2);
  EXPECT_NE(without.err.find("firn upsample p"), std::string::npos) << without.err;
  const Outcome made = firn({"upsample", "p", "--per-particle", "20"});
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_TRUE(has("p/frames/grains_0003.ply"));
  const std::string first = content(path("p/frames/grains_0003.ply"));
  const Outcome again = firn({"upsample", "p"});
  EXPECT_EQ(again.status, 2);
  EXPECT_NE(again.err.find("--overwrite"), std::string::npos) << again.err;
  ASSERT_EQ(firn({"upsample", "p", "--per-particle", "20", "--overwrite", "--threads", "1"}).status,
            0);
  EXPECT_EQ(content(path("p/frames/grains_0003.ply")), first);
  // A run that starts anew takes them away.
  ASSERT_EQ(firn({"run", plain, "--out", "p", "--overwrite"}).status, 0);
  EXPECT_FALSE(has("p/frames/grains_0003.ply"));
}

TEST_F(Grains, WhatUpsampleCannotDoIsOneLine) {
  const auto expect_line = [&](const std::vector<std::string>& arguments, const char* said) {
    const Outcome outcome = firn(arguments);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
    EXPECT_NE(outcome.err.find(said), std::string::npos) << outcome.err;
  };
  expect_line({"upsample", "nowhere"}, "no such folder");
  ASSERT_EQ(firn({"run", scene_, "--out", "a", "--set", "/output/fields=[\"id\"]", "--set",
                  "/grains/per_particle=1"})
                .status,
            0);
  expect_line({"upsample", "a", "--overwrite"}, "no velocities");
  ASSERT_EQ(firn({"run", scene_, "--out", "b"}).status, 0);
  expect_line({"upsample", "b", "--species", "snd"}, "no object or emitter is of species");
  fs::resize_file(path("b/frames/frame_0002.ply"), 700);
  expect_line({"upsample", "b", "--overwrite"}, "frame_0002.ply: is damaged or cut off");
  EXPECT_TRUE(has("b/frames/grains_0003.ply"));
  fs::remove(path("b/frames/frame_0002.ply"));
  expect_line({"upsample", "b", "--overwrite"}, "frame 2 is missing");
  fs::remove_all(path("b/frames"));
  expect_line({"upsample", "b"}, "no frames");
}

TEST_F(Grains, TooManyOfThemAreRefusedBeforehand) {
  const Outcome check = firn(
      {"check", scene_, "--set", "/grains/per_particle=100000", "--set", "/grid/spacing=0.01"});
  EXPECT_EQ(check.status, 2);
  EXPECT_NE(check.err.find("/grains/per_particle"), std::string::npos) << check.err;
  const Outcome device = firn({"run", scene_, "--set", "/grains/species=water"});
  EXPECT_EQ(device.status, 2);
  EXPECT_NE(device.err.find("/grains/species"), std::string::npos) << device.err;
}

}  // namespace
}  // namespace firn::test
