// Pictures and films as files.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdio>
#include <filesystem>

#include "film_probe.h"
#include "mesh_io/atomic_file.h"
#include "mesh_io/film.h"
#include "mesh_io/png.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

fs::path fresh_folder(const std::string& name) {
  const fs::path folder = fs::path(testing::TempDir()) / name;
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

Image test_picture(int width, int height, int shift) {
  Image image(width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      image.pixel(x, y)[0] = static_cast<std::uint8_t>(x * 5 + shift);
      image.pixel(x, y)[1] = static_cast<std::uint8_t>(y * 3);
      image.pixel(x, y)[2] = static_cast<std::uint8_t>(x * y);
    }
  return image;
}

TEST(Png, RoundTrip) {
  const fs::path path = fresh_folder("firn_png") / "a.png";
  const Image image = test_picture(37, 21, 4);
  ASSERT_TRUE(write_png(path, image));
  const Result<Image> back = read_png(path);
  ASSERT_TRUE(back) << back.errors()[0];
  EXPECT_EQ(back->width, 37);
  EXPECT_EQ(back->height, 21);
  EXPECT_EQ(back->rgb, image.rgb);
}

TEST(Png, RefusesWhatIsNotOne) {
  const fs::path folder = fresh_folder("firn_png_bad");
  EXPECT_FALSE(write_png(folder / "empty.png", Image()));
  ASSERT_TRUE(write_whole_file(folder / "text.png", "no picture"));
  EXPECT_FALSE(read_png(folder / "text.png"));
  EXPECT_FALSE(read_png(folder / "missing.png"));
}

TEST(Film, IsWrittenCompleteAndPlayable) {
  const fs::path folder = fresh_folder("firn_film");
  const fs::path path = folder / "a film.mp4";
  Result<FilmWriter> film = FilmWriter::open(path, 65, 48, 24);
  ASSERT_TRUE(film) << film.errors()[0];
  for (int i = 0; i < 12; ++i) EXPECT_TRUE(film->add(test_picture(65, 48, 3 * i)));
  EXPECT_FALSE(fs::exists(path));
  const auto done = film->finish();
  ASSERT_TRUE(done) << done.errors()[0];
  // An odd width loses a column.
  EXPECT_EQ(output_of("ffprobe -v error -count_frames -select_streams v -show_entries "
                      "stream=codec_name,width,height,pix_fmt,avg_frame_rate,nb_read_frames "
                      "-of csv=p=0 '" +
                      path.string() + "'"),
            "h264,64,48,yuv420p,24/1,12\n");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
}

TEST(Film, FailuresAreReportedAndLeaveNothing) {
  const fs::path folder = fresh_folder("firn_film_bad");
  EXPECT_FALSE(FilmWriter::open(folder / "none" / "a.mp4", 64, 48, 24));
  EXPECT_FALSE(FilmWriter::open(folder / "a.mp4", 1, 48, 24));
  {
    Result<FilmWriter> empty = FilmWriter::open(folder / "a.mp4", 64, 48, 24);
    ASSERT_TRUE(empty);
    EXPECT_FALSE(empty->finish());
  }
  {
    // The size changes on the way.
    Result<FilmWriter> empty = FilmWriter::open(folder / "a.mp4", 64, 48, 24);
    ASSERT_TRUE(empty);
    EXPECT_FALSE(empty->add(test_picture(32, 32, 0)));
    EXPECT_FALSE(empty->finish());
  }
  {
    // ffmpeg does not know this kind of file and goes away: no SIGPIPE, but a reason.
    Result<FilmWriter> strange = FilmWriter::open(folder / "a.unknown", 640, 480, 24);
    ASSERT_TRUE(strange);
    bool good = true;
    for (int i = 0; i < 200 && good; ++i) good = strange->add(test_picture(640, 480, i));
    EXPECT_FALSE(good);
    const auto result = strange->finish();
    ASSERT_FALSE(result);
    EXPECT_NE(result.errors()[0].find("ffmpeg failed"), std::string::npos) << result.errors()[0];
  }
  { ASSERT_TRUE(FilmWriter::open(folder / "dropped.mp4", 64, 48, 24)); }
  EXPECT_TRUE(fs::is_empty(folder));
}

TEST(Film, SaysWhatToInstallWithoutFfmpeg) {
  const std::string old = getenv("PATH");
  setenv("PATH", "/nonexistent", 1);
  const auto film = FilmWriter::open(fresh_folder("firn_film_none") / "a.mp4", 64, 48, 24);
  setenv("PATH", old.c_str(), 1);
  ASSERT_FALSE(film);
  EXPECT_NE(film.errors()[0].find("apt install ffmpeg"), std::string::npos);
}

}  // namespace
}  // namespace firn
