// Pictures and files of points: values as the files hold them, and what must be refused.
#include <gtest/gtest.h>

#include <filesystem>

#include "frames/ply.h"
#include "frames/point_file.h"
#include "mesh_io/atomic_file.h"
#include "mesh_io/image_file.h"
#include "mesh_io/png.h"
#include "test_folder.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

const fs::path kImages = fs::path(FIRN_SOURCE_DIR) / "tests/fuzz/corpus/image";
const fs::path kPoints = fs::path(FIRN_SOURCE_DIR) / "tests/fuzz/corpus/points";

template <class T>
std::string first_error(const Result<T>& result) {
  return result.ok() ? "no error" : result.errors()[0];
}

TEST(ImageFile, ValuesOfEveryFormat) {
  const auto gray = read_image(kImages / "gray8.png");
  ASSERT_TRUE(gray.ok()) << first_error(gray);
  EXPECT_EQ(gray->width, 4);
  EXPECT_EQ(gray->height, 3);
  EXPECT_FLOAT_EQ(gray_of(*gray).at(3, 2), 160 / 255.0f);
  const auto deep = read_image(kImages / "rgba16.png");
  ASSERT_TRUE(deep.ok()) << first_error(deep);
  EXPECT_FLOAT_EQ(deep->rgb[1], 1000 / 65535.0f);
  EXPECT_FLOAT_EQ(deep->alpha[0], 3000 / 65535.0f);
  const auto pgm = read_image(kImages / "gray.pgm");
  ASSERT_TRUE(pgm.ok());
  EXPECT_FLOAT_EQ(gray_of(*pgm).at(1, 0), 30 / 255.0f);
  const auto tga = read_image(kImages / "rgb.tga");
  ASSERT_TRUE(tga.ok());
  EXPECT_FLOAT_EQ(tga->rgb[0], 2 / 255.0f);  // stored as blue, green, red
  for (const char* name : {"base.jpg", "gray.jpg", "plain.bmp", "deep.ppm", "palette.png"})
    EXPECT_TRUE(read_image(kImages / name).ok()) << name;
}

TEST(ImageFile, WrittenPicturesComeBack) {
  const TestFolder folder("image");
  Image image(3, 2);
  for (std::size_t i = 0; i < image.rgb.size(); ++i) image.rgb[i] = std::uint8_t(13 * i);
  ASSERT_TRUE(write_png(folder.path() / "a.png", image).ok());
  const auto back = read_image(folder.path() / "a.png");
  ASSERT_TRUE(back.ok());
  for (std::size_t i = 0; i < image.rgb.size(); ++i)
    EXPECT_FLOAT_EQ(back->rgb[i], image.rgb[i] / 255.0f);
  EXPECT_TRUE(back->alpha.empty());
}

TEST(ImageFile, BadPicturesGetOneClearLine) {
  EXPECT_NE(first_error(parse_image("", "a.png")).find("a.png: not a PNG"), std::string::npos);
  EXPECT_NE(first_error(read_image(kImages / "text.txt")).find("not a PNG"), std::string::npos);
  const std::string huge = first_error(read_image(kImages / "huge.png"));
  EXPECT_NE(huge, "no error");
  const std::string wide = "P5 20000 1 255\n";
  EXPECT_NE(first_error(parse_image(wide, "w.pgm")).find("at most 16384 across"),
            std::string::npos);
  EXPECT_FALSE(read_image("no such file.png").ok());
}

// Whatever is missing of a file is missing of the picture; nothing may stand in for it.
TEST(ImageFile, CutOffPicturesAreRefused) {
  for (const char* name : {"base.jpg", "gray.jpg", "gray8.png", "rgba16.png", "plain.bmp",
                           "bits8.bmp", "rgb.tga", "rle.tga", "gray.pgm", "deep.ppm"}) {
    const auto bytes = read_whole_file(kImages / name);
    ASSERT_TRUE(bytes.ok());
    ASSERT_TRUE(parse_image(*bytes, name).ok()) << name;
    // The last bytes of some formats say nothing about pixels.
    const std::size_t pixels = bytes->size() - (std::string(name).ends_with("png") ? 14 : 3);
    for (std::size_t size : {pixels, bytes->size() * 2 / 3, bytes->size() / 2, std::size_t(20)}) {
      if (size >= bytes->size()) continue;
      const auto cut = parse_image(std::string_view(*bytes).substr(0, size), name);
      ASSERT_FALSE(cut.ok()) << name << " of " << size << " bytes";
      ASSERT_EQ(cut.errors().size(), 1u);
      EXPECT_EQ(cut.errors()[0].rfind(name, 0), 0u) << cut.errors()[0];
    }
  }
}

// The codes of this Huffman table say where others end; a reader that trusts them leaves its own.
TEST(ImageFile, DamagedTablesOfJpegAreRefused) {
  const auto bytes = read_whole_file(kImages / "base.jpg");
  ASSERT_TRUE(bytes.ok());
  std::size_t tables = 0;
  for (std::size_t at = 0; (at = bytes->find("\xff\xc4", at)) != std::string::npos; ++at) {
    std::string damaged = *bytes;
    for (std::size_t k = 5; k < 21; ++k) damaged[at + k] = '\xff';
    EXPECT_FALSE(parse_image(damaged, "a.jpg").ok());
    ++tables;
  }
  EXPECT_GT(tables, 0u);
}

// A megabyte of zeros takes a thousand bytes in a PNG file; the limit is on what it becomes.
TEST(ImageFile, SmallFilesOfHugePicturesAreRefused) {
  EXPECT_NE(first_error(read_image(kImages / "huge.png")).find("at most 16384 across"),
            std::string::npos);
  const auto bytes = read_whole_file(kImages / "gray8.png");
  ASSERT_TRUE(bytes.ok());
  EXPECT_NE(first_error(parse_image(*bytes, "a.png", 11)).find("a.png: a picture of 4 x 3"),
            std::string::npos);
}

TEST(PointFile, TablesWithAndWithoutNames) {
  const auto named = read_points(kPoints / "header.csv");
  ASSERT_TRUE(named.ok()) << first_error(named);
  EXPECT_EQ(named->count, 2u);
  EXPECT_EQ(named->as_double("y")[1], 2);
  EXPECT_EQ(named->as_double("temperature")[1], -2e-3);
  const auto plain = read_points(kPoints / "plain.csv");
  ASSERT_TRUE(plain.ok()) << first_error(plain);
  EXPECT_EQ(plain->as_double("y")[1], 3.5);
  EXPECT_EQ(plain->as_double("z")[1], 0);
  const auto semicolon = read_points(kPoints / "semicolon.csv");
  ASSERT_TRUE(semicolon.ok()) << first_error(semicolon);
  EXPECT_EQ(semicolon->as_double("x")[1], 3);
}

TEST(PointFile, OtherFormats) {
  for (const char* name : {"points.obj", "ascii.ply", "little.ply"}) {
    const auto table = read_points(kPoints / name);
    ASSERT_TRUE(table.ok()) << first_error(table);
    EXPECT_EQ(table->count, 2u);
    EXPECT_EQ(table->columns[2].name, "z");
    EXPECT_EQ(table->as_double("z")[1], 3);
  }
  PointTable written;
  written.count = 3;
  for (const char* axis : {"y", "x"}) written.add<float>(axis) = {1, 2, 3};
  const TestFolder folder("points");
  ASSERT_TRUE(write_ply(folder.path() / "p.ply", written).ok());
  const auto back = read_points(folder.path() / "p.ply");
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->columns[0].name, "x");
  EXPECT_EQ(back->as_double("x")[2], 3);
  EXPECT_EQ(back->as_double("z")[2], 0);
}

TEST(PointFile, BadInputGetsOneClearLine) {
  const auto expect = [](std::string_view bytes, const char* file, const char* part) {
    const std::string line = first_error(parse_points(bytes, file));
    EXPECT_NE(line.find(part), std::string::npos) << line;
    EXPECT_EQ(line.rfind(file, 0), 0u) << line;
  };
  expect("x,y\n1,2\n1\n", "a.csv", "line 3: 1 values in 2 columns");
  expect("x,y\n1,two\n", "a.csv", "line 2: not a number: \"two\"");
  expect("1,5;2,5\n", "a.csv", "no points");
  expect("x,x\n", "a.csv", "two columns of the name");
  expect("a,b\n1,2\n", "a.csv", "no column x");
  expect("1 2 3 4\n", "a.csv", "two or three columns");
  expect("1 inf\n", "a.csv", "y is not finite");
  expect("1e999 0\n", "a.csv", "x is not finite");
  expect("", "a.csv", "no points");
  expect("v 1 2\n", "a.obj", "line 1");
  expect("1 2\n", "a.dat", ".csv");
  EXPECT_FALSE(read_points(kPoints / "flat.ply").ok());
}

}  // namespace
}  // namespace firn
