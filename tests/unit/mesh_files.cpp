// Mesh files: the same cube from every format, mended flaws, and what must be refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "mesh_io/atomic_file.h"
#include "mesh_io/mesh_file.h"
#include "test_folder.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

const fs::path kCorpus = fs::path(FIRN_SOURCE_DIR) / "tests/fuzz/corpus/mesh";

std::string first_error(const Result<LoadedMesh>& result) {
  return result.ok() ? "no error" : result.errors()[0];
}

void expect_error(std::string_view bytes, const char* file, const char* part) {
  const std::string line = first_error(parse_mesh(bytes, file));
  EXPECT_NE(line.find(part), std::string::npos) << line;
  EXPECT_EQ(line.rfind(file, 0), 0u) << line;
}

TEST(MeshFile, EveryFormatGivesTheSameCube) {
  for (const char* name : {"cube.obj", "ascii.ply", "little.ply", "big.ply", "ascii.stl",
                           "binary.stl", "data.gltf", "cube.glb"}) {
    const auto loaded = read_mesh(kCorpus / name);
    ASSERT_TRUE(loaded.ok()) << first_error(loaded);
    EXPECT_EQ(loaded->mesh.triangles.size(), 12u) << name;
    EXPECT_EQ(loaded->mesh.vertices.size(), 8u) << name;
    EXPECT_TRUE(loaded->warnings.empty()) << loaded->warnings[0];
    const double scale = std::string_view(name) == "data.gltf" ? 8 : 1;
    EXPECT_NEAR(signed_volume(loaded->mesh), scale, 1e-6) << name;
  }
}

TEST(MeshFile, NodesOfGltfPlaceTheirMeshes) {
  const auto moved = read_mesh(kCorpus / "cube.glb");
  ASSERT_TRUE(moved.ok());
  EXPECT_NEAR(mesh_bounds(moved->mesh).low[0], 5, 1e-6);
  EXPECT_NEAR(mesh_bounds(moved->mesh).high[2], 8, 1e-6);
  // Scaled by two, turned by 90 degrees about z, moved by (1, 2, 3).
  const auto turned = read_mesh(kCorpus / "data.gltf");
  ASSERT_TRUE(turned.ok());
  EXPECT_NEAR(mesh_bounds(turned->mesh).low[0], -1, 1e-6);
  EXPECT_NEAR(mesh_bounds(turned->mesh).high[0], 1, 1e-6);
  EXPECT_NEAR(mesh_bounds(turned->mesh).high[1], 4, 1e-6);
  EXPECT_NEAR(mesh_bounds(turned->mesh).high[2], 5, 1e-6);
}

TEST(MeshFile, MirroredNodesKeepNormalsOutwards) {
  auto text = read_whole_file(kCorpus / "data.gltf");
  ASSERT_TRUE(text.ok());
  const std::size_t at = text->find("[2, 2, 2]");
  ASSERT_NE(at, std::string::npos);
  text->replace(at, 9, "[-2, 2, 2]");
  const auto mirrored = parse_mesh(*text, "mirror.gltf");
  ASSERT_TRUE(mirrored.ok());
  EXPECT_NEAR(signed_volume(mirrored->mesh), 8, 1e-5);
}

TEST(MeshFile, ConcavePolygonsAreCutInside) {
  const auto loaded =
      parse_mesh("v 0 0 0\nv 2 0 0\nv 2 2 0\nv 1 0.5 0\nv 0 2 0\nf 1 2 3 4 5\n", "concave.obj");
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded->mesh.triangles.size(), 3u);
  // Area 4 less the triangle that is cut out; overlapping triangles would have more.
  EXPECT_NEAR(surface_area(loaded->mesh), 4 - 1.5, 1e-9);
}

TEST(MeshFile, FlawsAreMendedAndTold) {
  auto text = read_whole_file(kCorpus / "cube.obj");
  ASSERT_TRUE(text.ok());
  const auto open = parse_mesh(text->substr(0, text->rfind("f 5 6 8 7")), "open.obj");
  ASSERT_TRUE(open.ok());
  ASSERT_EQ(open->warnings.size(), 1u);
  EXPECT_EQ(open->warnings[0], "open.obj: the mesh has 4 open edges; filled by winding number");
  const auto thin = parse_mesh(*text + "f 1 1 2\n", "thin.obj");
  ASSERT_TRUE(thin.ok());
  ASSERT_EQ(thin->warnings.size(), 1u);
  EXPECT_EQ(thin->warnings[0], "thin.obj: 1 triangle without area was dropped");
}

TEST(MeshFile, BadInputGetsOneClearLine) {
  expect_error("", "x.obj", "no triangles");
  expect_error("v 0 0 0\nf 1 2 3\n", "x.obj", "line 2: a face names vertex 2 of 1");
  expect_error("v 0 0\n", "x.obj", "line 1: a vertex needs three numbers");
  expect_error("v 0 0 1,5\n", "x.obj", "three numbers");
  expect_error("v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "x.obj", "not finite");
  expect_error("v 1e300 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "x.obj", "1e12");
  expect_error("v 0 0 0\nv 1 0 0\nf 1 1 2\n", "x.obj", "without area");
  expect_error("plyx\n", "x.ply", "not a PLY file");
  expect_error("", "x.stl", "not an STL file");
  expect_error("{}", "x.gltf", "no triangles");
  expect_error("[1]", "x.gltf", "no JSON object");
  expect_error(std::string("glTF\2\0\0\0", 8), "x.glb", "GLB");
  expect_error("", "x.fbx", ".obj, .ply, .stl, .gltf or .glb");
  expect_error("", "x", ".obj, .ply, .stl, .gltf or .glb");
  for (const auto& [file, part] : {std::pair{"ends_early.ply", "ends early"},
                                   {"two_corners.stl", "less than three"},
                                   {"cycle.gltf", "reached twice"},
                                   {"counts.stl", "no triangles"}})
    EXPECT_NE(first_error(read_mesh(kCorpus / file)).find(part), std::string::npos)
        << first_error(read_mesh(kCorpus / file));
}

TEST(MeshFile, CountsBeyondTheFileAllocateNothing) {
  std::string stl(84, ' ');
  std::memset(&stl[80], 0xff, 4);
  expect_error(stl, "x.stl", "announces 4294967295 triangles");
  expect_error(
      "ply\nformat binary_little_endian 1.0\nelement vertex 18446744073709551615\n"
      "property float x\nproperty float y\nproperty float z\nend_header\n",
      "x.ply", "ends early");
}

std::string external_gltf(const std::string& uri) {
  return R"({"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
    "bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":")" +
         uri + R"("}]})";
}

TEST(MeshFile, OtherFilesAreReadFromTheFolderAlone) {
  const TestFolder folder("gltf");
  const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
  const std::string bytes(reinterpret_cast<const char*>(corners), sizeof(corners));
  folder.write("secret.bin", bytes);
  folder.write("in/good one.bin", bytes);
  fs::create_symlink("../secret.bin", folder.path() / "in/link.bin");
  const auto load = [&](const std::string& uri) {
    return read_mesh(folder.write("in/mesh.gltf", external_gltf(uri)));
  };
  EXPECT_TRUE(load("good%20one.bin").ok()) << first_error(load("good%20one.bin"));
  EXPECT_TRUE(load("./good one.bin").ok());
  for (const std::string& uri :
       {std::string("../secret.bin"), std::string("link.bin"), std::string("%2e%2e/secret.bin"),
        (folder.path() / "secret.bin").string(), std::string("file:///etc/passwd")})
    EXPECT_NE(first_error(load(uri)).find("not in the folder"), std::string::npos) << uri;
  EXPECT_NE(first_error(load("missing.bin")).find("there is no file"), std::string::npos);
  folder.write("in/short.bin", "1234");
  EXPECT_NE(first_error(load("short.bin")).find("shorter"), std::string::npos);
  EXPECT_FALSE(read_mesh(folder.path() / "none.obj").ok());
  fs::create_directory(folder.path() / "folder.obj");
  EXPECT_FALSE(read_mesh(folder.path() / "folder.obj").ok());
}

}  // namespace
}  // namespace firn
