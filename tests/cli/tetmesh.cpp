// Meshes of objects as files: firn tetmesh, and scenes whose objects are such files.
#include "mesh_io/simplex_file.h"
#include "program.h"

namespace firn::test {
namespace {

class Tetmesh : public ProgramTest {
 protected:
  std::string scene_ = write("two.json", R"({
      "solver": "fem", "frames": 1, "fps": 24, "grid": {"spacing": 0.05},
      "materials": {"rubber": {"model": "fixed_corotated", "youngs_modulus": 1e5}},
      "objects": [
        {"name": "beam", "material": "rubber", "density": 1000,
         "shape": {"type": "box", "size": [1, 0.2, 0.2], "center": [0, 1, 0]},
         "mesh": {"type": "lattice"}},
        {"name": "ball", "material": "rubber", "density": 1000,
         "shape": {"type": "ball", "radius": 0.2, "center": [0, 2, 0]},
         "repeat": {"x": 2, "step": [1, 0, 0]}}]})");

  void expect_refused(const std::vector<std::string>& arguments, const std::string& said,
                      int status = 2) {
    std::vector<std::string> all = {"tetmesh"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome outcome = firn(all);
    EXPECT_EQ(outcome.status, status) << said;
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
    EXPECT_NE(outcome.err.find(said), std::string::npos) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  }
};

TEST_F(Tetmesh, WritesTheCellsOfAnObject) {
  const Outcome beam = firn({"tetmesh", scene_, "--object", "beam", "-o", "beam.msh"});
  ASSERT_EQ(beam.status, 0) << beam.err;
  EXPECT_EQ(beam.out,
            "cells        200 tetrahedra\nnodes        99\nvolume       0.04 m^3\n"
            "angles       54.74 to 90 degrees\nfile         beam.msh\n");
  const auto read = read_simplex_mesh<3>(path("beam.msh"));
  ASSERT_TRUE(read.ok()) << read.errors()[0];
  EXPECT_EQ(read->mesh.cells.size(), 200u);
  EXPECT_NEAR(mesh_volume(read->mesh), 0.04, 1e-12);
  const Outcome fine = firn({"tetmesh", scene_, "--object", "beam", "--edge", "0.05", "-o",
                             "beam.ele", "--quiet", "--threads", "1"});
  ASSERT_EQ(fine.status, 0) << fine.err;
  EXPECT_EQ(fine.out, "");
  EXPECT_TRUE(fs::exists(path("beam.node")));
  const auto finer = read_simplex_mesh<3>(path("beam.ele"));
  ASSERT_TRUE(finer.ok()) << finer.errors()[0];
  EXPECT_EQ(finer->mesh.cells.size(), 1600u);
}

TEST_F(Tetmesh, CopiesAreWrittenTogether) {
  const Outcome balls = firn({"tetmesh", scene_, "--object", "ball", "-o", "balls.vtu"});
  ASSERT_EQ(balls.status, 0) << balls.err;
  EXPECT_NE(balls.out.find("tetrahedra"), std::string::npos);
  const auto read = read_simplex_mesh<3>(path("balls.vtu"));
  ASSERT_TRUE(read.ok()) << read.errors()[0];
  EXPECT_NEAR(mesh_volume(read->mesh), 2 * 0.0335, 0.005);
}

TEST_F(Tetmesh, FlatScenesGiveTriangles) {
  const std::string flat = write("flat.json", R"({
      "dimension": 2, "frames": 1, "grid": {"spacing": 0.05},
      "materials": {"sand": {"model": "sand"}},
      "objects": [{"material": "sand", "shape": {"type": "disc", "radius": 1}}]})");
  const Outcome disc = firn({"tetmesh", flat, "-o", "disc.mesh"});
  ASSERT_EQ(disc.status, 0) << disc.err;
  EXPECT_NE(disc.out.find("triangles"), std::string::npos) << disc.out;
  EXPECT_NE(disc.out.find("area         3.1"), std::string::npos) << disc.out;
}

TEST_F(Tetmesh, WhatCannotBeDoneIsOneLine) {
  expect_refused({scene_, "-o", "a.msh"}, "--object is missing; choose from \"beam\", \"ball\"");
  expect_refused({scene_, "--object", "bea", "-o", "a.msh"}, "did you mean \"beam\"?");
  expect_refused({scene_, "--object", "beam", "-o", "a.stl"}, "choose .msh");
  expect_refused({scene_, "--object", "beam"}, "--output");
  expect_refused({scene_, "--object", "beam", "--edge", "0", "-o", "a.msh"}, "--edge");
  expect_refused({scene_, "--object", "ball", "--edge", "9", "-o", "a.msh"},
                 "/objects/1/mesh/edge: an edge of 9 m is too coarse");
  expect_refused({scene_, "--object", "ball", "--edge", "1e-4", "-o", "a.msh"},
                 "more than 50 million");
  expect_refused({"missing.json", "-o", "a.msh"}, "missing.json");
  expect_refused({scene_, "--object", "beam", "-o", "no/folder/a.msh"}, "cannot write", 1);
  EXPECT_FALSE(fs::exists(path("a.msh")));
}

TEST_F(Tetmesh, ObjectsAreFilesOfCells) {
  ASSERT_EQ(firn({"tetmesh", scene_, "--object", "beam", "-o", "beam.vtk"}).status, 0);
  const std::string scene = write("file.json", R"({
      "solver": "fem", "frames": 1, "fps": 24, "grid": {"spacing": 0.05},
      "materials": {"rubber": {"model": "fixed_corotated", "youngs_modulus": 1e5}},
      "objects": [{"name": "beam", "material": "rubber", "density": 1000,
                   "mesh": {"type": "file", "file": "beam.vtk"},
                   "transform": {"translation": [0, 1, 0]}}]})");
  const Outcome check = firn({"check", scene});
  ASSERT_EQ(check.status, 0) << check.err;
  EXPECT_NE(check.out.find("cells        200 tetrahedra"), std::string::npos) << check.out;
  const Outcome run = firn({"run", scene, "--out", "a"});
  ASSERT_EQ(run.status, 0) << run.err;
  const Outcome again = firn({"tetmesh", "a", "-o", "again.vtk"});
  ASSERT_EQ(again.status, 0) << again.err;
  expect_refused({scene, "--edge", "0.1", "-o", "a.msh"}, "/objects/0/mesh/file: has edges");
  expect_refused({scene, "--set", "/objects/0/mesh/file=none.msh", "-o", "a.msh"},
                 "/objects/0/mesh/file: no file \"");
  write("bad.mesh",
        "MeshVersionFormatted 2\nDimension 3\nVertices 1\n0 0 0 0\nTetrahedra 1\n1 1 1 2 0\n");
  expect_refused({scene, "--set", "/objects/0/mesh/file=bad.mesh", "-o", "a.msh"},
                 "bad.mesh: element 1 names point 2, which the file does not have");
}

}  // namespace
}  // namespace firn::test
