// Where bodies are, beside the PLY file of a frame; and PLY frames with faces.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "base/math.h"
#include "frames/body_file.h"
#include "frames/ply.h"
#include "frames/run_folder.h"
#include "mesh_io/atomic_file.h"
#include "test_folder.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

BodyPose odd_pose() {
  BodyPose body;
  body.name = "wheel \"2\" \xc3\xa4";
  body.position = {{0.1, -1.0 / 3, 1e-17}};
  body.rotation = quaternion_about({{0.3, 0.2, -1.1}});
  body.scale = 1.7;
  body.velocity = {{1e20, 2, 3}};
  body.spin = {{0, 0, kPi}};
  return body;
}

TEST(BodyFile, GivesBackEveryDigit) {
  const TestFolder folder("body_file");
  const fs::path path = folder.path() / "bodies_0003.json";
  const BodyPose body = odd_pose();
  ASSERT_TRUE(write_bodies(path, 3, 0.1, {body, BodyPose{}}));
  const auto back = parse_bodies(*read_whole_file(path), "bodies");
  ASSERT_TRUE(back) << back.errors()[0];
  ASSERT_EQ(back->size(), 2u);
  EXPECT_EQ((*back)[0].name, body.name);
  EXPECT_EQ((*back)[0].position, body.position);
  EXPECT_EQ((*back)[0].rotation, body.rotation);
  EXPECT_EQ((*back)[0].scale, body.scale);
  EXPECT_EQ((*back)[0].velocity, body.velocity);
  EXPECT_EQ((*back)[0].spin, body.spin);
}

TEST(BodyFile, DamageIsOneClearLine) {
  const std::string good =
      R"({"bodies":[{"name":"a","position":[0,0,0],"rotation":[1,0,0,0],"scale":1,)"
      R"("velocity":[0,0,0],"spin":[0,0,0]}]})";
  EXPECT_TRUE(parse_bodies(good, "x"));
  for (const char* text : {"", "[", "{}", "[1]", R"({"bodies":3})", R"({"bodies":[1]})"})
    EXPECT_FALSE(parse_bodies(text, "x")) << text;
  for (const auto& [from, to] : {std::pair{"\"name\"", "\"nam\""},
                                 {"[1,0,0,0]", "[0,0,0,0]"},
                                 {"[1,0,0,0]", "[1,0,0]"},
                                 {"\"scale\":1", "\"scale\":-1"},
                                 {"\"scale\":1", "\"scale\":1e999"},
                                 {"[0,0,0]", "[0,null,0]"}}) {
    std::string bad = good;
    bad.replace(bad.find(from), std::string(from).size(), to);
    const auto bodies = parse_bodies(bad, "x");
    ASSERT_FALSE(bodies) << bad;
    EXPECT_EQ(bodies.errors().size(), 1u);
    EXPECT_EQ(bodies.errors()[0].substr(0, 3), "x: ");
  }
}

// Two meshes over five points, of which the last is a particle.
Frame two_meshes() {
  Frame frame;
  frame.count = 5;
  frame.columns.reserve(3);
  for (const char* axis : {"x", "y", "z"}) {
    auto& values = frame.add<float>(axis);
    for (std::size_t i = 0; i < 5; ++i) values[i] = static_cast<float>(i * i + axis[0]);
  }
  frame.meshes = {
      {"soft % ball", {0, 1, 2, 2, 1, 3}, {}, {}}, {"", {}, {}, {}}, {"c", {3, 2, 0}, {}, {}}};
  return frame;
}

TEST(PlyMeshes, NamesAndTrianglesComeBack) {
  const TestFolder folder("ply_meshes");
  const fs::path path = folder.path() / "frame_0001.ply";
  const Frame frame = two_meshes();
  ASSERT_TRUE(write_ply(path, frame));
  const Result<Frame> back = read_ply(path);
  ASSERT_TRUE(back) << back.errors()[0];
  EXPECT_EQ(back->count, frame.count);
  ASSERT_EQ(back->meshes.size(), 3u);
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_EQ(back->meshes[m].name, frame.meshes[m].name);
    EXPECT_EQ(back->meshes[m].triangles, frame.meshes[m].triangles);
  }
  const std::string bytes = *read_whole_file(path);
  for (std::size_t cut = 1; cut < 39; ++cut)
    EXPECT_FALSE(parse_ply(bytes.substr(0, bytes.size() - cut), "cut")) << cut;
  EXPECT_TRUE(parse_ply_points(bytes.substr(0, bytes.size() - 20), "points alone"));
  Frame wrong = frame;
  wrong.meshes[2].triangles[1] = 5;
  EXPECT_FALSE(write_ply(path, wrong));
}

// Files of others: polygons, other lists and properties, faces in text.
TEST(PlyMeshes, PolygonsBecomeFans) {
  const std::string start =
      "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
      "element face 2\nproperty uchar flag\nproperty list uchar uint vertex_index\nproperty list "
      "uchar float other\nend_header\n0 0\n1 0\n1 1\n0 1\n";
  const auto frame = parse_ply(start + "9 4 0 1 2 3 1 0.5\n9 3 0 2 3 0\n", "text");
  ASSERT_TRUE(frame) << frame.errors()[0];
  ASSERT_EQ(frame->meshes.size(), 1u);
  EXPECT_EQ(frame->meshes[0].triangles, (std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3, 0, 2, 3}));
  for (const char* faces :
       {"9 2 0 1 0\n9 3 0 2 3 0\n", "9 3 0 1 4 0\n9 3 0 2 3 0\n", "9 3 0 1 -1 0\n9 3 0 2 3 0\n",
        "9 3 0 1 2 0\n", "9 1e9 1\n", "9 3 0 1 nan 0\n9 3 0 2 3 0\n"}) {
    const auto bad = parse_ply(start + faces, "text");
    ASSERT_FALSE(bad) << faces;
    EXPECT_EQ(bad.errors().size(), 1u);
  }
}

TEST(PlyMeshes, CommentsMustTellOfTheFacesThereAre) {
  const auto with_note = [](const std::string& note) {
    return parse_ply("ply\nformat ascii 1.0\ncomment firn mesh " + note +
                         "\nelement vertex 3\nproperty float x\nelement face 1\nproperty list "
                         "uchar int vertex_indices\nend_header\n0\n1\n2\n3 0 1 2\n",
                     "text");
  };
  EXPECT_TRUE(with_note("a 1"));
  EXPECT_TRUE(with_note("1"));
  for (const char* note : {"a 2", "a 0", "a -1", "a x", "", "a b 1", "a 99999999999999999999"})
    EXPECT_FALSE(with_note(note)) << note;
}

TEST(ReadFrame, TakesTheBodiesBesideTheFrame) {
  const TestFolder folder("read_frame");
  const RunFolder run{folder.path()};
  fs::create_directories(run.frames());
  ASSERT_TRUE(write_ply(run.frame(7), two_meshes()));
  std::vector<std::string> notes;
  EXPECT_TRUE(read_frame(run.frame(7), &notes)->bodies.empty());
  ASSERT_TRUE(write_bodies(run.bodies(7), 7, 1, {odd_pose()}));
  EXPECT_EQ(bodies_beside(run.frame(7)), run.bodies(7));
  EXPECT_EQ(read_frame(run.frame(7), &notes)->bodies.size(), 1u);
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(body_numbers(run), (std::vector<std::int64_t>{7}));
  EXPECT_EQ(frame_numbers(run), (std::vector<std::int64_t>{7}));
  fs::resize_file(run.bodies(7), 20);
  const Result<Frame> damaged = read_frame(run.frame(7), &notes);
  ASSERT_TRUE(damaged);
  EXPECT_TRUE(damaged->bodies.empty());
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("bodies_0007.json"), std::string::npos);
}

}  // namespace
}  // namespace firn
