// PLY frames: what is written comes back, other dialects are read, damage is refused.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <random>

#include "frames/ply.h"
#include "mesh_io/atomic_file.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

fs::path scratch(const std::string& name) {
  const fs::path folder = fs::path(testing::TempDir()) / "firn_ply";
  fs::create_directories(folder);
  return folder / name;
}

PointTable sample_table(std::size_t count) {
  PointTable table;
  table.count = count;
  table.columns.reserve(6);
  auto& x = table.add<float>("x");
  auto& precise = table.add<double>("y");
  auto& id = table.add<std::uint32_t>("id");
  auto& offset = table.add<std::int32_t>("offset");
  auto& red = table.add<std::uint8_t>("red");
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = 0.1f * static_cast<float>(i) - 3;
    precise[i] = 1.0 / (1.0 + static_cast<double>(i));
    id[i] = 4000000000u + static_cast<std::uint32_t>(i);
    offset[i] = -static_cast<std::int32_t>(i);
    red[i] = static_cast<std::uint8_t>(i * 7);
  }
  table.metadata = {{"frame", "12"}, {"time", "0.25"}, {"name", "two words, 50%\n"}};
  return table;
}

void expect_equal(const PointTable& a, const PointTable& b) {
  ASSERT_EQ(a.count, b.count);
  ASSERT_EQ(a.columns.size(), b.columns.size());
  EXPECT_EQ(a.metadata, b.metadata);
  for (std::size_t i = 0; i < a.columns.size(); ++i) {
    EXPECT_EQ(a.columns[i].name, b.columns[i].name);
    EXPECT_TRUE(a.columns[i].values == b.columns[i].values) << a.columns[i].name;
  }
}

TEST(Ply, RoundTripKeepsTypesValuesAndMetadata) {
  // More rows than a chunk of the writer, and not a multiple of one.
  for (const std::size_t count : {0u, 1u, 20001u}) {
    const PointTable table = sample_table(count);
    const fs::path path = scratch("roundtrip.ply");
    ASSERT_TRUE(write_ply(path, table));
    const Result<Frame> back = read_ply(path);
    ASSERT_TRUE(back) << back.errors()[0];
    expect_equal(table, *back);
  }
}

TEST(Ply, RefusesColumnsThatDoNotFit) {
  PointTable table = sample_table(4);
  table.columns.push_back({"short", std::vector<float>(3)});
  EXPECT_FALSE(write_ply(scratch("bad.ply"), table));
  table.columns.back() = {"two words", std::vector<float>(4)};
  EXPECT_FALSE(write_ply(scratch("bad.ply"), table));
  table.columns.back() = {"x", std::vector<float>(4)};
  EXPECT_FALSE(write_ply(scratch("bad.ply"), table));
  EXPECT_FALSE(fs::exists(scratch("bad.ply")));
}

TEST(Ply, ReadsAsciiWithOtherElementsAndLists) {
  const std::string text =
      "ply\r\nformat ascii 1.0\r\ncomment made by hand\r\nelement face 2\r\n"
      "property list uchar int vertex_indices\r\nelement vertex 3\r\nproperty double z\r\n"
      "property list uchar float weights\r\nproperty short x\r\nproperty uchar red\r\n"
      "end_header\r\n3 0 1 2\r\n0\r\n1.5 2 9 9 -7 255\r\n+2e1 0 8 0\r\n-1e400 1 4 3 4";
  const Result<Frame> table = parse_ply(text, "text");
  ASSERT_TRUE(table) << table.errors()[0];
  ASSERT_EQ(table->count, 3u);
  EXPECT_EQ(table->columns.size(), 3u);
  EXPECT_EQ(*table->get<std::int32_t>("x"), (std::vector<std::int32_t>{-7, 8, 3}));
  EXPECT_EQ(*table->get<std::uint8_t>("red"), (std::vector<std::uint8_t>{255, 0, 4}));
  EXPECT_EQ(table->as_float("z")[1], 20.0f);
  EXPECT_TRUE(table->as_float("missing").empty());
}

// One row of a double, a list and an int, in either byte order.
std::string binary_sample(bool big) {
  std::string bytes = std::string("ply\nformat binary_") + (big ? "big" : "little") +
                      "_endian 1.0\nelement vertex 2\nproperty double x\n"
                      "property list ushort float more\nproperty int id\nend_header\n";
  const auto put = [&](auto value) {
    char raw[sizeof(value)];
    std::memcpy(raw, &value, sizeof(value));
    if (big) std::reverse(raw, raw + sizeof(value));
    bytes.append(raw, sizeof(value));
  };
  for (int row = 0; row < 2; ++row) {
    put(2.5 + row);
    put(std::uint16_t(row + 1));
    for (int i = 0; i <= row; ++i) put(1.0f);
    put(std::int32_t(-100000 * (row + 1)));
  }
  return bytes;
}

TEST(Ply, ReadsBothByteOrders) {
  for (const bool big : {false, true}) {
    const Result<Frame> table = parse_ply(binary_sample(big), "binary");
    ASSERT_TRUE(table) << table.errors()[0];
    EXPECT_EQ(*table->get<double>("x"), (std::vector<double>{2.5, 3.5}));
    EXPECT_EQ(*table->get<std::int32_t>("id"), (std::vector<std::int32_t>{-100000, -200000}));
  }
}

TEST(Ply, RefusesDamageWithOneLine) {
  const std::string head = "ply\nformat binary_little_endian 1.0\n";
  const std::string cases[] = {
      "",
      "plx\n",
      "ply\n",
      "ply\nend_header\n",
      head + "element vertex 3\nproperty float x\n",
      head + "end_header\n",
      head + "element vertex 3\nend_header\n",
      head + "element vertex 18446744073709551615\nproperty float x\nend_header\nabcd",
      head + "element vertex 4611686018427387904\nproperty float x\nend_header\nabcd",
      head + "element vertex 99999999999999999999\nproperty float x\nend_header\n",
      head + "element vertex -1\nproperty float x\nend_header\n",
      head + "element vertex 2\nproperty float x\nend_header\nabcdefg",
      head + "element vertex 1\nproperty quad x\nend_header\nabcd",
      head + "element vertex 1\nproperty float x\nproperty float x\nend_header\nabcdefgh",
      head + "element vertex 1\nproperty list float int x\nend_header\nabcdefgh",
      head + "element vertex 1\nproperty list uint double x\nend_header\n\xff\xff\xff\xff",
      head + "element vertex 1\nproperty list char double x\nend_header\n\x80",
      head + "property float x\nend_header\n",
      "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nend_header\n1\n",
      "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\none\n",
      "ply\nformat ascii 1.0\nelement vertex 1\nproperty uchar x\nend_header\n256\n",
      "ply\nformat ascii 1.0\nelement vertex 1\nproperty list int int x\nend_header\n-1\n",
      "ply\nformat klingon 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n",
  };
  for (const std::string& bytes : cases) {
    const Result<Frame> table = parse_ply(bytes, "damaged.ply");
    ASSERT_FALSE(table) << bytes;
    ASSERT_EQ(table.errors().size(), 1u);
    EXPECT_EQ(table.errors()[0].rfind("damaged.ply: ", 0), 0u) << table.errors()[0];
    EXPECT_EQ(table.errors()[0].find('\n'), std::string::npos);
  }
  EXPECT_FALSE(read_ply(scratch("no such file.ply")));
  EXPECT_FALSE(read_ply(scratch("")));
}

// Whatever happens to the bytes, the reader answers; truncation of a good file is always noticed.
TEST(Ply, SurvivesMutatedFiles) {
  const fs::path path = scratch("mutate.ply");
  ASSERT_TRUE(write_ply(path, sample_table(20)));
  const std::string good = *read_whole_file(path);
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_FALSE(parse_ply(std::string_view(good).substr(0, size), "cut"));
  const std::string seeds[] = {good, binary_sample(false), binary_sample(true)};
  std::mt19937 random(7);
  for (int round = 0; round < 30000; ++round) {
    std::string bytes = seeds[random() % 3];
    for (unsigned edits = 1 + random() % 4; edits > 0; --edits)
      bytes[random() % bytes.size()] =
          static_cast<char>(random() % 3 ? '0' + random() % 10 : random());
    const Result<Frame> table = parse_ply(bytes, "mutated");
    if (!table) continue;
    for (const Column& column : table->columns) EXPECT_EQ(column.size(), table->count);
  }
}

}  // namespace
}  // namespace firn
