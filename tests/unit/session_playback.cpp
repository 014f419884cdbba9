// Runs played back: frames by number, with gaps and damage; films written in the background.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "film_probe.h"
#include "frames/body_file.h"
#include "frames/ply.h"
#include "run/run.h"
#include "session/film_queue.h"
#include "session/playback.h"
#include "session_common.h"
#include "test_folder.h"

namespace firn {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

RunFolder run_of(const TestFolder& folder, const SceneSettings& scene, int frames) {
  RunOptions options;
  options.scene = scene;
  options.scene_file = "disc.json";
  options.frames = frames;
  options.folder = folder.path() / "run";
  options.program = "test";
  RunControl control;
  const RunReport report = run_into_folder(options, control, [](const RunProgress&) {});
  EXPECT_EQ(report.status, RunStatus::finished);
  return {options.folder};
}

RunFolder run_of_disc(const TestFolder& folder, int frames) {
  return run_of(folder, falling_disc(), frames);
}

std::shared_ptr<const PlaybackFrame> shown(Playback& playback, std::int64_t number,
                                           bool grains = false) {
  playback.request(number, grains);
  std::shared_ptr<const PlaybackFrame> frame;
  EXPECT_TRUE(comes_true([&] { return (frame = playback.newest()) != nullptr; }));
  return frame;
}

TEST(Playback, ShowsTheFramesOfTheRun) {
  const TestFolder folder("session_playback");
  const RunFolder run = run_of_disc(folder, 15);
  auto playback = Playback::open(run.root);
  ASSERT_TRUE(playback.ok());
  EXPECT_EQ((*playback)->first(), 0);
  EXPECT_EQ((*playback)->last(), 15);
  // More frames than are kept, back and forth.
  for (const int number : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 7}) {
    const auto frame = shown(**playback, number);
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->number, number);
    EXPECT_TRUE(frame->problem.empty()) << frame->problem;
    expect_same_points(frame->points, *read_ply(run.frame(number)));
  }
}

TEST(Playback, GapsAndDamageBecomeMessages) {
  const TestFolder folder("session_damage");
  const RunFolder run = run_of_disc(folder, 5);
  fs::remove(run.frame(2));
  fs::resize_file(run.frame(4), fs::file_size(run.frame(4)) / 2);
  auto playback = Playback::open(run.root);
  ASSERT_TRUE(playback.ok());
  EXPECT_EQ((*playback)->missing(), 1u);
  EXPECT_FALSE((*playback)->has(2));
  for (const int number : {2, 4}) {
    const auto frame = shown(**playback, number);
    EXPECT_EQ(frame->points.count, 0u);
    EXPECT_NE(frame->problem.find(run.frame(number).filename().string()), std::string::npos);
  }
  EXPECT_GT(shown(**playback, 5)->points.count, 0u);
}

TEST(Playback, FramesHaveTheirMeshesAndBodies) {
  const TestFolder folder("session_meshes");
  const RunFolder run = run_of_disc(folder, 1);
  Frame frame = *read_ply(run.frame(1));
  frame.meshes = {{"patch", {0, 1, 2}, {}, {}}};
  ASSERT_TRUE(write_ply(run.frame(1), frame));
  BodyPose body;
  body.name = "wheel";
  ASSERT_TRUE(write_bodies(run.bodies(1), 1, 0.1, {body}));
  auto playback = Playback::open(run.root);
  ASSERT_TRUE(playback.ok());
  const auto played = shown(**playback, 1);
  ASSERT_EQ(played->points.meshes.size(), 1u);
  EXPECT_EQ(played->points.meshes[0].name, "patch");
  ASSERT_EQ(played->points.bodies.size(), 1u);
  EXPECT_EQ(played->points.bodies[0].name, "wheel");
}

constexpr const char* kSand = R"j({
  "solver": "sph", "dimension": 2, "fps": 50, "frames": 4, "grid": {"spacing": 0.05},
  "materials": {"sand": {"model": "sand"}},
  "objects": [{"shape": {"type": "box", "min": [0, 0], "max": [0.2, 0.3]}, "material": "sand"}],
  "colliders": [{"shape": {"type": "plane"}}], "grains": {"per_particle": 12}})j";

TEST(Playback, ShowsTheGrainsOfARun) {
  const TestFolder folder("session_grains");
  const RunFolder run = run_of(folder, scene_with({}, kSand), 4);
  auto playback = Playback::open(run.root);
  ASSERT_TRUE(playback.ok());
  EXPECT_TRUE((*playback)->has_grains());
  for (const bool grains : {true, false, true}) {
    const auto frame = shown(**playback, 2, grains);
    EXPECT_EQ(frame->grains, grains);
    expect_same_points(frame->points, *read_ply(grains ? run.grains(2) : run.frame(2)));
  }
  fs::remove(run.grains(0));
  EXPECT_NE(shown(**playback, 0, true)->problem.find("grains_0000"), std::string::npos);
  EXPECT_TRUE(shown(**playback, 0)->problem.empty());
}

// What graphs show is what stats.jsonl says, a value a frame; damaged lines are left out.
TEST(Playback, TellsWhatTheStepsOfARunTook) {
  const TestFolder folder("session_figures");
  const RunFolder run = run_of(folder, scene_with({}, kSand), 4);
  const auto lines = lines_of(run.stats());
  ASSERT_EQ(lines.size(), 5u);
  auto playback = Playback::open(run.root);
  ASSERT_TRUE(playback.ok());
  EXPECT_EQ((*playback)->figures().frames, (std::vector<std::int64_t>{1, 2, 3, 4}));
  const auto expect_series = [&](const SeriesHistory& history, const std::string& name,
                                 auto&& of_line) {
    const auto& all = history.series();
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const auto& series) { return series.name == name; });
    ASSERT_NE(found, all.end()) << name;
    ASSERT_EQ(found->values.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
      const Json line = Json::parse(lines[i + 1]);
      EXPECT_FLOAT_EQ(found->values[i], static_cast<float>(of_line(line))) << name;
    }
  };
  const auto& figures = (*playback)->figures();
  expect_series(figures.solver, "iterations a step", [](const Json& line) {
    return line["iterations"].get<double>() / line["steps"].get<double>();
  });
  expect_series(figures.solver, "mean density error, %",
                [](const Json& line) { return 100 * line["mean_density_error"].get<double>(); });
  expect_series(figures.solver, "max density error, %",
                [](const Json& line) { return 100 * line["max_density_error"].get<double>(); });
  for (const std::string stage :
       {"neighbours", "walls", "density", "stress", "shift", "move", "grains"})
    expect_series(figures.stages, stage + ", ms", [&](const Json& line) {
      return 1e3 * line["phases"][stage].get<double>() / line["steps"].get<double>();
    });
  folder.write("run/stats.jsonl", lines[1] + "\n{\"frame\": 2, \"steps\n7\n" + lines[4]);
  (*playback)->look_again();
  EXPECT_EQ((*playback)->figures().frames, (std::vector<std::int64_t>{1, 4}));
  fs::remove(run.stats());
  (*playback)->look_again();
  EXPECT_TRUE((*playback)->figures().frames.empty());
}

TEST(Playback, AFolderWithoutFramesIsRefused) {
  const TestFolder folder("session_nothing");
  EXPECT_FALSE(Playback::open(folder.path()).ok());
  folder.write("scene.json", kFallingDisc);
  const auto playback = Playback::open(folder.path());
  ASSERT_FALSE(playback.ok());
  EXPECT_NE(playback.errors()[0].find("no frames"), std::string::npos);
}

TEST(FilmQueue, FinishesInTheBackground) {
  const TestFolder folder("session_film");
  auto film = FilmQueue::open(folder.path() / "film.mp4", 64, 48, 25);
  ASSERT_TRUE(film.ok());
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(comes_true([&] { return (*film)->has_room(); }));
    (*film)->add(Image(64, 48));
  }
  (*film)->close();
  ASSERT_TRUE(comes_true([&] { return (*film)->outcome().has_value(); }));
  EXPECT_TRUE((*film)->outcome()->ok());
  EXPECT_TRUE(fs::exists(folder.path() / "film.mp4"));
}

TEST(FilmQueue, LeavesAFilmOfWhatItHasOrNothing) {
  const TestFolder folder("session_no_film");
  for (const int pictures : {0, 3}) {
    auto film = FilmQueue::open(folder.path() / "film.mp4", 64, 48, 25);
    ASSERT_TRUE(film.ok());
    for (int i = 0; i < pictures; ++i) (*film)->add(Image(64, 48));
    film->reset();
    EXPECT_EQ(fs::is_empty(folder.path()), pictures == 0);
  }
  EXPECT_EQ(pictures_in(folder.path() / "film.mp4"), 3);
}

}  // namespace
}  // namespace firn
