// Files for Houdini, read back by a reader of its own that follows the description of the layout.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "frames/bgeo.h"
#include "mesh_io/atomic_file.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

struct Attribute {
  std::uint32_t type = 0;
  std::size_t size = 0, offset = 0;  // words
};

class Reader {
 public:
  explicit Reader(std::string bytes) : bytes_(std::move(bytes)) {}

  void read() {
    EXPECT_EQ(bytes_.substr(0, 5), "BgeoV");
    at_ = 5;
    EXPECT_EQ(word(), 5u);
    count = word();
    const std::uint32_t polygons = word();
    for (int i = 0; i < 2; ++i) EXPECT_EQ(word(), 0u);
    const std::uint32_t attribute_count = word();
    for (int i = 0; i < 3; ++i) EXPECT_EQ(word(), 0u);
    for (std::uint32_t i = 0; i < attribute_count; ++i) {
      const std::size_t length = half();
      const std::string name = bytes_.substr(at_, length);
      at_ += length;
      Attribute attribute;
      attribute.size = half();
      attribute.type = word();
      attribute.offset = stride;
      stride += attribute.size;
      for (std::size_t k = 0; k < attribute.size; ++k) EXPECT_EQ(word(), 0u);
      names.push_back(name);
      attributes.push_back(attribute);
    }
    points_ = at_;
    at_ = points_ + count * stride * 4;
    while (triangles.size() < 3 * polygons) read_run();
    ASSERT_EQ(bytes_.size(), at_ + 2);
    EXPECT_EQ(bytes_.substr(bytes_.size() - 2), std::string("\0\xff", 2));
  }
  // A mark, a count, the key of polygons, and their closed loops.
  void read_run() {
    ASSERT_EQ(word(), 0xffffffffu);
    const std::uint32_t run = half();
    ASSERT_GT(run, 0u);
    ASSERT_EQ(word(), 1u);
    for (std::uint32_t i = 0; i < run; ++i) {
      ASSERT_EQ(word(), 3u);
      ASSERT_EQ(byte(), std::uint32_t('<'));
      for (int k = 0; k < 3; ++k) triangles.push_back(count < 65536 ? half() : word());
    }
  }
  std::uint32_t integer(std::size_t point, std::size_t word_index) {
    at_ = points_ + (point * stride + word_index) * 4;
    return word();
  }
  float number(std::size_t point, std::size_t word_index) {
    return std::bit_cast<float>(integer(point, word_index));
  }
  const Attribute& attribute(const std::string& name) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == name) return attributes[i];
    ADD_FAILURE() << "no attribute " << name;
    static const Attribute none;
    return none;
  }

  std::size_t count = 0, stride = 4;
  std::vector<std::uint32_t> triangles;  // points
  std::vector<std::string> names;
  std::vector<Attribute> attributes;

 private:
  std::uint32_t byte() { return static_cast<unsigned char>(bytes_.at(at_++)); }
  std::uint32_t half() {
    const std::uint32_t high = byte();
    return high << 8 | byte();
  }
  std::uint32_t word() {
    const std::uint32_t high = half();
    return high << 16 | half();
  }

  std::string bytes_;
  std::size_t at_ = 0, points_ = 0;
};

PointTable some_points(std::size_t count) {
  PointTable table;
  table.count = count;
  for (const char* name : {"x", "y", "z", "vx", "vy", "vz", "volume", "plastic_strain"}) {
    auto& values = table.add<float>(name);
    for (std::size_t i = 0; i < count; ++i)
      values[i] = static_cast<float>(i) + static_cast<float>(name[0] + name[1]) / 8;
  }
  auto& ids = table.add<std::uint32_t>("id");
  for (std::size_t i = 0; i < count; ++i) ids[i] = static_cast<std::uint32_t>(7 * i + 70000);
  table.add<std::int32_t>("material").assign(count, -3);
  table.add<std::uint8_t>("red").assign(count, 255);
  table.add<std::uint8_t>("green").assign(count, 51);
  table.add<std::uint8_t>("blue").assign(count, 0);
  return table;
}

Reader written(const Frame& table) {
  const fs::path path = fs::path(testing::TempDir()) / "firn_frame.bgeo";
  const auto file = write_bgeo(path, table);
  EXPECT_TRUE(file) << (file ? "" : file.errors().front());
  Reader reader(*read_whole_file(path));
  reader.read();
  return reader;
}

TEST(Bgeo, TrianglesAreClosedPolygons) {
  for (const std::uint32_t count : {65535u, 65536u}) {  // points in 16 bits, and in 32
    Frame frame = some_points(count);
    frame.meshes.resize(2);
    frame.meshes[0].triangles = {0, 1, 2, 0, 2, count - 1};
    for (std::uint32_t i = 0; i < 40000; ++i)  // more than one run
      for (const std::uint32_t k : {i, i + 1, i + 2}) frame.meshes[1].triangles.push_back(k);
    const Reader file = written(frame);
    std::vector<std::uint32_t> expected = frame.meshes[0].triangles;
    expected.insert(expected.end(), frame.meshes[1].triangles.begin(),
                    frame.meshes[1].triangles.end());
    EXPECT_EQ(file.triangles, expected);
  }
}

TEST(Bgeo, ReaderFindsEveryColumn) {
  const std::size_t count = 5000;  // more than is put together at a time
  const PointTable table = some_points(count);
  Reader file = written(table);
  ASSERT_EQ(file.count, count);
  EXPECT_EQ(file.names, (std::vector<std::string>{"v", "Cd", "pscale", "volume", "plastic_strain",
                                                  "id", "material"}));
  const Attribute v = file.attribute("v"), color = file.attribute("Cd");
  EXPECT_EQ(v.type, 5u);
  EXPECT_EQ(v.size, 3u);
  EXPECT_EQ(color.type, 0u);
  EXPECT_EQ(color.size, 3u);
  EXPECT_EQ(file.attribute("id").type, 1u);
  for (const std::size_t i : {std::size_t(0), std::size_t(4095), std::size_t(4096), count - 1}) {
    EXPECT_EQ(file.number(i, 0), table.as_float("x")[i]);
    EXPECT_EQ(file.number(i, 2), table.as_float("z")[i]);
    EXPECT_EQ(file.number(i, 3), 1.0f);
    EXPECT_EQ(file.number(i, v.offset + 1), table.as_float("vy")[i]);
    EXPECT_NEAR(file.number(i, color.offset), 1, 1e-6);
    EXPECT_NEAR(file.number(i, color.offset + 1), 0.2, 1e-6);
    EXPECT_EQ(file.integer(i, file.attribute("id").offset), 7 * i + 70000);
    EXPECT_EQ(static_cast<std::int32_t>(file.integer(i, file.attribute("material").offset)), -3);
    EXPECT_EQ(file.number(i, file.attribute("plastic_strain").offset),
              table.as_float("plastic_strain")[i]);
    const double r = file.number(i, file.attribute("pscale").offset);
    EXPECT_NEAR(4.0 / 3 * std::numbers::pi * r * r * r, table.as_float("volume")[i],
                1e-5 * table.as_float("volume")[i]);
  }
}

TEST(Bgeo, InTwoDimensionsTheRadiusIsThatOfADisc) {
  PointTable table = some_points(3);
  table.metadata["dimension"] = "2";
  Reader file = written(table);
  const double r = file.number(2, file.attribute("pscale").offset);
  EXPECT_NEAR(std::numbers::pi * r * r, table.as_float("volume")[2], 1e-4);
}

// The first bytes, one by one, of a file with one point and no attributes.
TEST(Bgeo, LayoutByteByByte) {
  PointTable table;
  table.count = 1;
  for (const char* name : {"x", "y", "z"}) table.add<float>(name).assign(1, 1.0f);
  const fs::path path = fs::path(testing::TempDir()) / "firn_one.bgeo";
  ASSERT_TRUE(write_bgeo(path, table));
  std::string expected = "BgeoV";
  for (const char last : {5, 1, 0, 0, 0, 0, 0, 0, 0}) expected += std::string(3, '\0') + last;
  for (int i = 0; i < 4; ++i) expected += std::string("\x3f\x80\0\0", 4);
  EXPECT_EQ(*read_whole_file(path), expected + std::string("\0\xff", 2));
}

TEST(Bgeo, RefusesTablesThatDoNotFit) {
  PointTable table = some_points(4);
  table.count = 5;
  EXPECT_FALSE(write_bgeo(fs::path(testing::TempDir()) / "firn_bad.bgeo", table));
  EXPECT_FALSE(write_bgeo(fs::path(testing::TempDir()) / "firn_bad.bgeo", PointTable{}));
}

}  // namespace
}  // namespace firn
