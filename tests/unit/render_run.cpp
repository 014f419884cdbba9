// Pictures and films from a folder of frames, damaged ones included.
#include "render/render_run.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "draw/cpu_painter.h"
#include "frames/ply.h"
#include "mesh_io/png.h"
#include "render/preview.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

class RenderRunTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              ("firn_render_run_" +
               std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "frames");
    for (int i = 0; i < 5; ++i) write_frame(i);
    options_.output = folder_ / "still.png";
    options_.width = 160;
    options_.height = 90;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path frame(int i) const {
    char name[32];
    std::snprintf(name, sizeof(name), "frame_%04d.ply", i);
    return folder_ / "frames" / name;
  }
  // A falling block.
  void write_frame(int number) {
    PointTable table;
    table.count = 1000;
    table.columns.reserve(5);
    auto& x = table.add<float>("x");
    auto& y = table.add<float>("y");
    auto& z = table.add<float>("z");
    auto& vy = table.add<float>("vy");
    table.add<float>("vx");
    for (std::size_t i = 0; i < table.count; ++i) {
      x[i] = 0.1f * static_cast<float>(i % 10);
      y[i] = 0.1f * static_cast<float>(i / 10 % 10) + 2 - 0.4f * static_cast<float>(number);
      z[i] = 0.1f * static_cast<float>(i / 100);
      vy[i] = -static_cast<float>(number);
    }
    ASSERT_TRUE(write_ply(frame(number), table));
  }
  Result<RenderReport> render(const std::vector<fs::path>& frames,
                              const RenderProgress& progress = {}) {
    return render_run(frames, scene_, options_, *make_cpu_painter(scene_, options_), progress);
  }
  Result<RenderReport> render(const RenderProgress& progress = {}) {
    return render(frame_files(folder_), progress);
  }

  fs::path folder_;
  SceneSettings scene_;
  RenderRunOptions options_;
};

TEST_F(RenderRunTest, ListsFramesByNumber) {
  std::ofstream(folder_ / "frames" / ".tmp-1-0-frame_0009.ply") << "half";
  std::ofstream(folder_ / "frames" / "frame_10000.ply") << "late";
  const auto files = frame_files(folder_);
  ASSERT_EQ(files.size(), 6u);
  EXPECT_EQ(files[4], frame(4));
  EXPECT_EQ(files[5].filename(), "frame_10000.ply");
  EXPECT_TRUE(frame_files(folder_ / "nowhere").empty());
}

TEST_F(RenderRunTest, StillShowsTheFrameAskedFor) {
  const auto last = render();
  ASSERT_TRUE(last) << last.errors()[0];
  EXPECT_TRUE(last->warnings.empty());
  const Image picture = *read_png(options_.output);
  EXPECT_EQ(picture.width, 160);
  EXPECT_EQ(picture.height, 90);
  options_.frame = 4;
  ASSERT_TRUE(render());
  EXPECT_EQ(read_png(options_.output)->rgb, picture.rgb);
  options_.frame = 0;
  ASSERT_TRUE(render());
  EXPECT_NE(read_png(options_.output)->rgb, picture.rgb);
}

TEST_F(RenderRunTest, FilmSkipsDamagedFramesWithAWarning) {
  fs::resize_file(frame(2), 200);
  options_.output = folder_ / "film.mp4";
  std::int64_t calls = 0;
  const auto report = render([&](std::int64_t done, std::int64_t total) {
    EXPECT_EQ(done, calls++);
    return total == 5;
  });
  ASSERT_TRUE(report) << report.errors()[0];
  EXPECT_EQ(report->frames, 4);
  ASSERT_EQ(report->warnings.size(), 1u);
  EXPECT_NE(report->warnings[0].find("frame_0002.ply"), std::string::npos);
  EXPECT_TRUE(fs::exists(options_.output));
}

TEST_F(RenderRunTest, StoppingEndsTheFilmEarly) {
  options_.output = folder_ / "film.mp4";
  const auto report = render([](std::int64_t done, std::int64_t) { return done < 2; });
  ASSERT_TRUE(report) << report.errors()[0];
  EXPECT_TRUE(report->interrupted);
  EXPECT_EQ(report->frames, 2);
  EXPECT_TRUE(fs::exists(options_.output));
  fs::remove(options_.output);
  // Before the first picture there is nothing to keep.
  EXPECT_FALSE(render([](std::int64_t, std::int64_t) { return false; }));
  EXPECT_FALSE(fs::exists(options_.output));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(RenderRunTest, ColoursByColumnWithLegend) {
  options_.color_by = "speed";
  options_.frame = 2;
  ASSERT_TRUE(render());
  const auto with = read_png(options_.output)->rgb;
  options_.legend = false;
  ASSERT_TRUE(render());
  EXPECT_NE(read_png(options_.output)->rgb, with);
  options_.color_by = "no_such_column";
  const auto bad = render();
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.errors()[0].find("no_such_column"), std::string::npos);
}

TEST_F(RenderRunTest, WrongRequestsAreErrors) {
  options_.camera = "submarine";
  EXPECT_NE(render().errors()[0].find("three_quarter"), std::string::npos);
  options_.camera = "top";
  EXPECT_TRUE(render());
  options_.frame = 77;
  EXPECT_FALSE(render());
  options_.frame = -1;
  options_.output = folder_ / "still.jpg";
  EXPECT_FALSE(render());
  options_.output = folder_ / "still.png";
  options_.width = 0;
  EXPECT_FALSE(render());
  options_.width = 160;
  EXPECT_FALSE(render(std::vector<fs::path>{}));
  EXPECT_FALSE(render(std::vector<fs::path>{folder_ / "frames" / "frame_0099.ply"}));
}

// Emitters may open late: frames without particles have their columns, and are pictures too.
TEST_F(RenderRunTest, DrawsRunsThatBeginEmpty) {
  PointTable empty;
  for (const char* name : {"x", "y", "z", "vx", "vy", "vz", "volume"}) empty.add<float>(name);
  for (const int i : {0, 1}) ASSERT_TRUE(write_ply(frame(i), empty));
  for (const std::int64_t dimension : {2, 3})
    for (const char* by : {"", "speed"}) {
      scene_.dimension = dimension;
      options_.color_by = by;
      options_.frame = 0;
      ASSERT_TRUE(render()) << by;
      options_.frame = 4;
      ASSERT_TRUE(render()) << by;
    }
  for (const int i : {2, 3, 4}) ASSERT_TRUE(write_ply(frame(i), empty));
  options_.color_by = "";
  EXPECT_TRUE(render());
}

// How many pixels are more green than blue and red by a margin, and more red than the others.
std::pair<int, int> green_and_red(const Image& image) {
  int green = 0, red = 0;
  for (std::size_t i = 0; i + 2 < image.rgb.size(); i += 3) {
    const int r = image.rgb[i], g = image.rgb[i + 1], b = image.rgb[i + 2];
    green += g > r + 30 && g > b + 15;
    red += r > g + 30 && r > b + 30;
  }
  return {green, red};
}

TEST_F(RenderRunTest, PreviewMarksMouthsAndSinks) {
  for (const std::int64_t dimension : {2, 3}) {
    scene_ = {};
    scene_.dimension = dimension;
    ASSERT_TRUE(render_preview({}, {}, scene_, options_));
    EXPECT_EQ(green_and_red(*read_png(options_.output)), std::make_pair(0, 0));
    scene_.emitters.emplace_back().shape.center = {{-2, 0, 0}};
    scene_.sinks.emplace_back().shape.center = {{2, 0, 0}};
    ASSERT_TRUE(render_preview({}, {}, scene_, options_));
    const auto [green, red] = green_and_red(*read_png(options_.output));
    EXPECT_GT(green, 20);
    EXPECT_GT(red, 20);
  }
}

TEST_F(RenderRunTest, PreviewShowsWhatFillsTheMouths) {
  options_.legend = false;
  const PointTable mouths = *read_ply(frame(0));
  ASSERT_TRUE(render_preview({}, {}, scene_, options_));
  const auto without = read_png(options_.output)->rgb;
  ASSERT_TRUE(render_preview({}, mouths, scene_, options_));
  const auto with = read_png(options_.output)->rgb;
  EXPECT_NE(with, without);
  ASSERT_TRUE(render_preview(mouths, {}, scene_, options_));
  EXPECT_NE(read_png(options_.output)->rgb, with) << "mouths are paler than particles";
}

TEST_F(RenderRunTest, DrawsTwoDimensionalRuns) {
  scene_.dimension = 2;
  EXPECT_TRUE(render());
}

}  // namespace
}  // namespace firn
