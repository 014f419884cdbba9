// Files for ParaView: what the XML says of itself, and the bytes of each array.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "frames/base64.h"
#include "frames/vtu.h"
#include "mesh_io/atomic_file.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

std::string encoded(std::string_view bytes, std::size_t piece) {
  Base64 stream;
  for (std::size_t i = 0; i < bytes.size(); i += piece)
    stream.add(bytes.data() + i, std::min(piece, bytes.size() - i));
  stream.end();
  return stream.take();
}

std::string decoded(std::string_view text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    if ((count += 6) >= 8) bytes.push_back(static_cast<char>(bits >> (count -= 8)));
  }
  return bytes;
}

// The examples of RFC 4648, however the bytes arrive.
TEST(Base64, MatchesTheStandardInAnyPieces) {
  const std::pair<const char*, const char*> known[] = {{"", ""},
                                                       {"f", "Zg=="},
                                                       {"fo", "Zm8="},
                                                       {"foo", "Zm9v"},
                                                       {"foob", "Zm9vYg=="},
                                                       {"fooba", "Zm9vYmE="},
                                                       {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : known)
    for (const std::size_t piece : {1, 2, 3, 4, 7}) EXPECT_EQ(encoded(bytes, piece), text);
}

PointTable table_2d(std::size_t count) {
  PointTable table;
  table.count = count;
  table.columns.reserve(16);
  for (const char* name : {"x", "y", "z", "vx", "vy", "vz"}) {
    auto& values = table.add<float>(name);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i) + name[0] + name[1];
  }
  table.add<std::uint32_t>("id");
  for (const char* name : {"F_xx", "F_xy", "F_yx", "F_yy", "stress_xx", "stress_xy", "stress_yy"}) {
    auto& values = table.add<float>(name);
    for (std::size_t i = 0; i < count; ++i)
      values[i] = static_cast<float>(name[std::strlen(name) - 1]);
  }
  return table;
}

std::string written(const Frame& table) {
  const fs::path path = fs::path(testing::TempDir()) / "firn_frame.vtu";
  const auto file = write_vtu(path, table);
  EXPECT_TRUE(file) << (file ? "" : file.errors().front());
  return *read_whole_file(path);
}

struct Array {
  std::string attributes;
  std::string bytes;  // without the length in front, which is checked
};
Array array_of(const std::string& text, const std::string& name) {
  const std::size_t at = text.find("Name=\"" + name + "\"");
  EXPECT_NE(at, std::string::npos) << name;
  if (at == std::string::npos) return {};
  const std::size_t begin = text.rfind("<DataArray", at), open = text.find('>', at) + 1;
  const std::string all = decoded(text.substr(open, text.find('<', open) - open));
  std::uint64_t size = 0;
  std::memcpy(&size, all.data(), 8);
  EXPECT_EQ(size, all.size() - 8) << name;
  return {text.substr(begin, open - begin), all.substr(8)};
}

template <class T>
T value(const Array& array, std::size_t i) {
  T result;
  std::memcpy(&result, array.bytes.data() + i * sizeof(T), sizeof(T));
  return result;
}

TEST(Vtu, ArraysHoldTheColumns) {
  const std::size_t count = 10000;  // more than is encoded at a time
  const PointTable table = table_2d(count);
  const std::string text = written(table);
  EXPECT_NE(text.find("NumberOfPoints=\"10000\" NumberOfCells=\"10000\""), std::string::npos);
  const Array points = array_of(text, "Points"), velocity = array_of(text, "velocity");
  ASSERT_EQ(points.bytes.size(), count * 12);
  ASSERT_EQ(velocity.bytes.size(), count * 12);
  for (const std::size_t i : {std::size_t(0), std::size_t(4095), std::size_t(4096), count - 1}) {
    EXPECT_EQ(value<float>(points, 3 * i + 1), table.as_float("y")[i]);
    EXPECT_EQ(value<float>(velocity, 3 * i + 2), table.as_float("vz")[i]);
    EXPECT_EQ(value<std::int64_t>(array_of(text, "connectivity"), i), static_cast<std::int64_t>(i));
    EXPECT_EQ(value<std::int64_t>(array_of(text, "offsets"), i), static_cast<std::int64_t>(i + 1));
    EXPECT_EQ(value<std::uint8_t>(array_of(text, "types"), i), 1);
  }
  EXPECT_NE(velocity.attributes.find("NumberOfComponents=\"3\""), std::string::npos);
  EXPECT_NE(array_of(text, "id").attributes.find("UInt32"), std::string::npos);
}

// In 2D what is missing of a tensor is filled up: plane strain.
TEST(Vtu, TensorsHaveAllComponentsInVtksOrder) {
  const std::string text = written(table_2d(3));
  const Array F = array_of(text, "F"), stress = array_of(text, "stress");
  ASSERT_EQ(F.bytes.size(), 3u * 9 * 4);
  ASSERT_EQ(stress.bytes.size(), 3u * 6 * 4);
  const float expected_F[9] = {'x', 'y', 0, 'x', 'y', 0, 0, 0, 1};
  const float expected_stress[6] = {'x', 'y', 0, 'y', 0, 0};
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(value<float>(F, 9 + i), expected_F[i]) << i;
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_EQ(value<float>(stress, 6 + i), expected_stress[i]) << i;
}

// Tetrahedra where a mesh has them, else its triangles; then the points that are in neither.
TEST(Vtu, CellsAreThoseOfMeshesThenParticles) {
  Frame frame = table_2d(9);
  frame.meshes.resize(2);
  frame.meshes[0] = {"solid", {0, 2, 1, 0, 1, 3}, {0, 1, 2, 3}, {}};
  frame.meshes[0].values.count = 1;
  frame.meshes[0].values.add<float>("von_mises")[0] = 5;
  frame.meshes[1] = {"sheet", {4, 5, 7, 4, 7, 8}, {}, {}};
  frame.meshes[1].values.count = 2;
  frame.meshes[1].values.add<double>("strain") = {1, 2};
  const std::string text = written(frame);
  EXPECT_NE(text.find("NumberOfPoints=\"9\" NumberOfCells=\"4\""), std::string::npos);
  const auto list = [&]<class T>(const char* name, T) {
    const Array array = array_of(text, name);
    std::vector<T> values(array.bytes.size() / sizeof(T));
    std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
    return values;
  };
  EXPECT_EQ(list("connectivity", std::int64_t{}),
            (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 7, 4, 7, 8, 6}));
  EXPECT_EQ(list("offsets", std::int64_t{}), (std::vector<std::int64_t>{4, 7, 10, 11}));
  EXPECT_EQ(list("types", std::uint8_t{}), (std::vector<std::uint8_t>{10, 5, 5, 1}));
  EXPECT_EQ(list("mesh", std::int32_t{}), (std::vector<std::int32_t>{0, 1, 1, -1}));
  EXPECT_EQ(list("von_mises", float{}), (std::vector<float>{5, 0, 0, 0}));
  EXPECT_EQ(list("strain", double{}), (std::vector<double>{0, 1, 2, 0}));
  EXPECT_EQ(written(table_2d(9)).find("CellData"), std::string::npos);
  frame.meshes[1].triangles[0] = 9;
  EXPECT_FALSE(write_vtu(fs::path(testing::TempDir()) / "firn_bad.vtu", frame));
}

TEST(Vtu, AnEmptyTableIsAFileToo) {
  PointTable table;
  for (const char* name : {"x", "y", "z"}) table.add<float>(name);
  EXPECT_TRUE(array_of(written(table), "Points").bytes.empty());
}

TEST(Vtu, RefusesColumnsThatDoNotFit) {
  PointTable table = table_2d(4);
  table.count = 5;
  EXPECT_FALSE(write_vtu(fs::path(testing::TempDir()) / "firn_bad.vtu", table));
}

}  // namespace
}  // namespace firn
