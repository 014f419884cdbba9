// A session in its thread: what it computes is what a plain run computes, whoever looks on.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "cuda/device.h"
#include "session/batch.h"
#include "session/pace_meter.h"
#include "session/series_history.h"
#include "session/session.h"
#include "session_common.h"
#include "test_folder.h"

namespace firn {
namespace {

const std::vector<std::string> kFields = SessionPace{}.fields;

std::unique_ptr<World> plain_world(const SceneSettings& scene) {
  auto world = World::create(scene, Precision::single);
  EXPECT_TRUE(world.ok());
  return std::move(*world);
}

PointTable plain_frame(const SceneSettings& scene, int frames) {
  const auto world = plain_world(scene);
  const std::atomic<bool> never{false};
  for (int i = 0; i < frames; ++i) EXPECT_TRUE(world->advance_frame(never).ok());
  return world->snapshot(kFields);
}

TEST(Session, PlaysTheSameBytesAsARun) {
  Session session;
  session.set_pace({.steps = 3, .speed = 1});  // pictures in between change nothing
  session.open(falling_disc(), "disc.json");
  session.play_until(6);
  int pictures = 0;
  EXPECT_TRUE(comes_true([&] {
    const auto frame = session.take();
    pictures += frame ? 1 : 0;
    if (!frame || frame->stats.frame < 6) return false;
    expect_same_points(frame->points, plain_frame(falling_disc(), 6));
    EXPECT_TRUE(frame->ends_frame);
    return true;
  }));
  EXPECT_GT(pictures, 1);
  session.wait_until_idle();
  EXPECT_EQ(session.status().state, SessionState::paused);
}

TEST(Session, PlaysImplicitStepsOneByOne) {
  const SceneSettings scene = falling_disc({"/integrator=optimization"});
  Session session;  // the disc reaches the floor in frame 8
  session.open(scene, "disc.json");
  session.step();
  session.play_until(10);
  ASSERT_TRUE(comes_true([&] {
    const auto frame = session.take();
    if (!frame || frame->stats.frame < 10) return false;
    expect_same_points(frame->points, plain_frame(scene, 10));
    return true;
  }));
}

TEST(Runner, WholeFramesAndStepsGiveTheSameBytes) {
  Runner frames;
  ASSERT_TRUE(frames.open(falling_disc(), "disc.json").empty());
  const std::atomic<bool> never{false}, at_once{true};
  const Result<bool> stopped = frames.run_frame(at_once);
  ASSERT_TRUE(stopped.ok());
  EXPECT_FALSE(*stopped);
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(*frames.run_frame(never));
  const auto frame = frames.picture(kFields);
  EXPECT_EQ(frame->stats.frame, 2);
  EXPECT_GT(frame->dt, 0);
  EXPECT_LT(frame->dt, 1.0 / falling_disc().fps);
  expect_same_points(frame->points, plain_frame(falling_disc(), 2));
}

// Where there is no device the simulation stays where it is and says why; where there is one it
// goes on there and comes back.
TEST(Session, ChangesTheDeviceAsItStands) {
  const bool exists = device_name().ok();
  Session session;
  session.open(falling_disc(), "disc.json");
  session.step_frame();
  session.wait_until_idle();
  session.set_device(Device::cuda);
  session.wait_until_idle();
  EXPECT_EQ(session.status().device, exists ? Device::cuda : Device::cpu);
  if (!exists) {
    EXPECT_EQ(session.status().words, device_name().errors().front());
  }
  session.step_frame();
  session.set_device(Device::cpu);
  session.wait_until_idle();
  EXPECT_EQ(session.status().device, Device::cpu);
  EXPECT_EQ(session.status().state, SessionState::paused);
  const auto frame = session.take();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->stats.frame, 2);
  if (!exists) expect_same_points(frame->points, plain_frame(falling_disc(), 2));
}

TEST(Session, StepsAndPausesDoNotChangeWhatComesOut) {
  Session session;
  session.open(falling_disc(), "disc.json");
  for (int i = 0; i < 5; ++i) session.step();
  session.wait_until_idle();
  EXPECT_EQ(session.take()->total_steps, 5);
  session.play();
  session.pause();
  session.step_frame();
  session.wait_until_idle();
  const std::int64_t reached = session.take()->stats.frame;
  session.play_until(reached + 3);
  session.wait_until_idle();
  const auto frame = session.take();
  EXPECT_EQ(frame->stats.frame, reached + 3);
  expect_same_points(frame->points, plain_frame(falling_disc(), static_cast<int>(reached) + 3));
}

TEST(Session, ResetReturnsToTheStart) {
  Session session;
  session.open(falling_disc(), "disc.json");
  session.play_until(2);
  session.stop();
  session.wait_until_idle();
  const auto frame = session.take();
  EXPECT_EQ(frame->total_steps, 0);
  expect_same_points(frame->points, plain_frame(falling_disc(), 0));
}

TEST(Session, EveryFrameIsSeenWhenAskedFor) {
  Session session;
  session.set_pace({.every_frame = true});
  session.open(falling_disc(), "disc.json");
  session.play_until(8);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // it waits for who is late
  std::vector<std::int64_t> seen;
  EXPECT_TRUE(comes_true([&] {
    if (const auto frame = session.take()) seen.push_back(frame->stats.frame);
    return !seen.empty() && seen.back() == 8;
  }));
  EXPECT_EQ(seen, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
}

TEST(Session, PaceFollowsTheClock) {
  Session session;
  session.set_pace({.speed = 1});
  session.open(falling_disc(), "disc.json");
  session.wait_until_idle();
  const auto start = std::chrono::steady_clock::now();
  session.play_until(11);  // the wait before the last frame counts: 10 frames of 20 ms
  session.wait_until_idle();
  EXPECT_GE(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 0.19);
}

// In its first second it can but be late.
TEST(Session, TellsThePaceItPlaysAt) {
  Session session;
  session.set_pace({.speed = 1, .every_frame = true});
  session.open(falling_disc(), "disc.json");
  session.play_until(11);
  double pace = 0;
  EXPECT_TRUE(comes_true([&] {
    const auto frame = session.take();
    if (!frame) return false;
    pace = frame->pace;
    EXPECT_LE(pace, 1.001);
    return frame->stats.frame == 11;
  }));
  EXPECT_GT(pace, 0);
}

TEST(PaceMeter, TellsWhatTheLastSecondWasLike) {
  PaceMeter meter;
  EXPECT_EQ(meter.pace(), 0);
  meter.begin(100, 5);
  EXPECT_EQ(meter.pace(), 0);
  meter.note(100.5, 5.25);
  EXPECT_DOUBLE_EQ(meter.pace(), 0.5);
  for (int i = 1; i <= 20; ++i) meter.note(100.5 + 0.1 * i, 5.25 + 0.2 * i);
  EXPECT_NEAR(meter.pace(), 2, 1e-9);  // of before nothing is left
  meter.note(112.5, 10.25);            // a frame that takes long
  EXPECT_NEAR(meter.pace(), 0.1, 0.1);
  meter.begin(113, 0);
  EXPECT_EQ(meter.pace(), 0);
}

TEST(Session, AnUnstableRunIsTextAndTheWayOnIsReset) {
  Session session;
  session.open(falling_disc({"/integrator/fixed_dt=0.02"}), "disc.json");
  session.play_until(20);
  session.wait_until_idle();
  const SessionStatus failed = session.status();
  EXPECT_EQ(failed.state, SessionState::failed);
  ASSERT_FALSE(failed.errors.empty());
  EXPECT_NE(failed.errors[0].find("unstable"), std::string::npos) << failed.errors[0];
  session.edit(falling_disc());
  session.reset();
  session.play_until(2);
  session.wait_until_idle();
  EXPECT_EQ(session.status().state, SessionState::paused);
  EXPECT_TRUE(session.status().errors.empty());
}

TEST(Session, ASceneWithoutParticlesRuns) {
  Session session;
  SceneSettings scene = falling_disc();
  scene.objects.clear();
  session.open(scene, "empty.json");
  session.step_frame();
  session.wait_until_idle();
  EXPECT_EQ(session.status().state, SessionState::paused);
  const auto frame = session.take();
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->points.count, 0u);
  EXPECT_EQ(frame->stats.frame, 1);
}

double mean_of(const PointTable& table, const char* column) {
  double sum = 0;
  for (const float x : table.as_float(column)) sum += x;
  return sum / static_cast<double>(table.count);
}

TEST(Session, AHandPullsAndABallPushes) {
  for (const ForceKind kind : {ForceKind::pull, ForceKind::push}) {
    Session session;
    session.open(falling_disc({"/gravity=[0,0]"}), "disc.json");
    // Pulled towards a place to the right, or pushed by a ball on the left.
    const double x = kind == ForceKind::pull ? 0.15 : -0.2;
    session.set_force({.kind = kind, .center = {{x, 0.3, 0}}, .radius = 0.3});
    session.play_until(3);
    session.wait_until_idle();
    ASSERT_EQ(session.status().state, SessionState::paused);
    EXPECT_GT(mean_of(session.take()->points, "x"), 0.01);
  }
}

TEST(InteractiveForce, NoRateOrStepMakesAParticleFasterThanTheLimit) {
  for (const double rate : {1.0, 1e3, 1e9})
    for (const double dt : {1e-6, 1e-3, 1.0})
      for (const ForceKind kind : {ForceKind::pull, ForceKind::push}) {
        const InteractiveForce hand{.kind = kind, .radius = 1, .rate = rate};
        const Vec3d v = hand.moved({{0.3, 0.1, 0}}, {{0.1, 0, 0}}, dt, 2.0);
        EXPECT_LE(std::sqrt(dot(v, v)), 2.0 + 1e-12);
      }
  const Vec3d far =
      InteractiveForce{.kind = ForceKind::pull, .radius = 1}.moved({{2, 0, 0}}, {{1, 2, 3}}, 1, 9);
  EXPECT_EQ(far, (Vec3d{{1, 2, 3}}));
}

TEST(Batch, MeasuresScenesAndNamesTheOneThatFails) {
  const TestFolder folder("session_batch");
  const std::string good = folder.write("good.json", kFallingDisc).string();
  const std::string bad = folder.write("bad.json", "{}").string();
  for (const char* name : {"out.json", "out.csv"}) {
    Batch batch({good, bad}, 20, folder.path() / name);
    ASSERT_TRUE(comes_true([&] { return batch.done(); }));
    const auto results = batch.results();
    ASSERT_EQ(results.size(), 2u);
    EXPECT_EQ(results[0].steps, 20);
    EXPECT_GT(results[0].particle_steps_per_second(), 0);
    EXPECT_FALSE(results[0].phases.empty());
    EXPECT_NE(results[1].error.find("materials"), std::string::npos);
    EXPECT_GT(std::filesystem::file_size(folder.path() / name), 100u);
  }
}

TEST(SeriesHistory, KeepsTheNewestAndFillsGaps) {
  SeriesHistory history(3);
  history.add({{"scatter", 1}});
  history.add({{"scatter", 2}, {"flow", 5}});
  history.add({{"flow", 1}});
  history.add({{"scatter", 4}, {"flow", 0}});
  ASSERT_EQ(history.series().size(), 2u);
  EXPECT_EQ(history.series()[0].values, (std::vector<float>{2, 0, 4}));
  EXPECT_EQ(history.series()[1].values, (std::vector<float>{5, 1, 0}));
  EXPECT_DOUBLE_EQ(history.series()[0].mean(), 2);
}

}  // namespace
}  // namespace firn
