// Mesh files, read back: by our own PLY reader, and byte by byte.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <sstream>

#include "frames/mesh_frame.h"
#include "frames/ply.h"
#include "frames/surface_file.h"
#include "mesh_io/atomic_file.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

SurfaceMesh tetrahedron() {
  SurfaceMesh mesh;
  mesh.vertices = {{{0, 0, 0}}, {{1, 0, 0}}, {{0, 1.25f, 0}}, {{0, 0, -3e-7f}}};
  mesh.velocity = {{{1, 2, 3}}, {{4, 5, 6}}, {{7, 8, 9}}, {{-1, -2, -3}}};
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  return mesh;
}

TEST(MeshFile, PlyHoldsVerticesVelocitiesAndTriangles) {
  const SurfaceMesh mesh = tetrahedron();
  const fs::path path = fs::path(testing::TempDir()) / "firn_mesh.ply";
  ASSERT_TRUE(write_mesh_ply(path, mesh));
  const Result<Frame> table = read_ply(path);
  ASSERT_TRUE(table) << table.errors().front();
  ASSERT_EQ(table->count, 4u);
  for (std::size_t v = 0; v < 4; ++v) {
    EXPECT_EQ(table->as_float("y")[v], mesh.vertices[v][1]);
    EXPECT_EQ(table->as_float("vz")[v], mesh.velocity[v][2]);
  }
  const std::string bytes = *read_whole_file(path);
  const std::size_t faces = bytes.find("end_header\n") + 11 + 4 * 6 * 4;
  ASSERT_EQ(bytes.size(), faces + 4 * 13);
  for (std::size_t t = 0; t < 4; ++t) {
    SurfaceMesh::Triangle triangle;
    EXPECT_EQ(bytes[faces + 13 * t], 3);
    std::memcpy(triangle.data(), bytes.data() + faces + 13 * t + 1, 12);
    EXPECT_EQ(triangle, mesh.triangles[t]);
  }
}

TEST(MeshFile, PlyWithoutVelocitiesHasNoColumnsForThem) {
  SurfaceMesh mesh = tetrahedron();
  mesh.velocity.clear();
  const fs::path path = fs::path(testing::TempDir()) / "firn_still_mesh.ply";
  ASSERT_TRUE(write_mesh_ply(path, mesh));
  EXPECT_FALSE(read_ply(path)->has("vx"));
}

TEST(MeshFile, ObjCountsFromOne) {
  const SurfaceMesh mesh = tetrahedron();
  const fs::path path = fs::path(testing::TempDir()) / "firn_mesh.obj";
  ASSERT_TRUE(write_mesh_obj(path, mesh));
  std::istringstream text(*read_whole_file(path));
  std::size_t vertices = 0, triangles = 0;
  for (std::string kind; text >> kind;) {
    double a = 0, b = 0, c = 0;
    ASSERT_TRUE(text >> a >> b >> c);
    if (kind == "v") {
      EXPECT_NEAR(b, mesh.vertices[vertices][1], 1e-6);
      EXPECT_NEAR(c, mesh.vertices[vertices++][2], 1e-12);
    } else {
      ASSERT_EQ(kind, "f");
      EXPECT_EQ(a, mesh.triangles[triangles][0] + 1);
      EXPECT_EQ(c, mesh.triangles[triangles++][2] + 1);
    }
  }
  EXPECT_EQ(vertices, 4u);
  EXPECT_EQ(triangles, 4u);
}

PointTable two_drops() {
  PointTable table;
  table.count = 2;
  table.add<float>("x") = {0, 5};
  table.add<float>("y") = {0, 0};
  table.add<float>("z") = {0, 0};
  return table;
}

TEST(MeshOfFrame, TakesOneMaterialOnly) {
  PointTable table = two_drops();
  MeshOptions options{0.5, 0.25, 0, 1};
  EXPECT_FALSE(mesh_of_frame(table, options));  // does not know materials
  table.add<std::int32_t>("material") = {0, 1};
  const Result<SurfaceMesh> mesh = mesh_of_frame(table, options);
  ASSERT_TRUE(mesh);
  ASSERT_FALSE(mesh->vertices.empty());
  for (const Vec3f& x : mesh->vertices) EXPECT_GT(x[0], 4);
  options.material = 2;
  EXPECT_TRUE(mesh_of_frame(table, options)->vertices.empty());
}

TEST(MeshOfFrame, RefusesFlatFramesAndBadNumbers) {
  PointTable table = two_drops();
  const MeshOptions options{0.5, 0.25, 3, -1};
  EXPECT_TRUE(mesh_of_frame(table, options));
  table.metadata["dimension"] = "2";
  EXPECT_FALSE(mesh_of_frame(table, options));
  table.metadata.clear();
  std::get<0>(table.columns[1].values)[1] = INFINITY;
  EXPECT_FALSE(mesh_of_frame(table, options));
}

}  // namespace
}  // namespace firn
