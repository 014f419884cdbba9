// Runs played back: frames by number, with gaps and damage; films written in the background.
#include <gtest/gtest.h>

#include <filesystem>

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

RunFolder run_of_disc(const TestFolder& folder, int frames) {
  RunOptions options;
  options.scene = falling_disc();
  options.scene_file = "disc.json";
  options.frames = frames;
  options.folder = folder.path() / "run";
  options.program = "test";
  RunControl control;
  const RunReport report = run_into_folder(options, control, [](const RunProgress&) {});
  EXPECT_EQ(report.status, RunStatus::finished);
  return {options.folder};
}

std::shared_ptr<const PlaybackFrame> shown(Playback& playback, std::int64_t number) {
  playback.request(number);
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
