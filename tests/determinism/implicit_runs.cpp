// Runs with implicit steps: the same bytes for any number of threads, from a saved state, and after
// they were stopped within a step.
#include <chrono>
#include <functional>
#include <thread>

#include "../physics/world_run.h"
#include "cases/implicit_tools.h"
#include "exec/parallel.h"
#include "scene/defaults.h"

namespace firn {
namespace {

// A block slides into a moving wheel, under a stream that a sink swallows; its stiffness varies.
SceneSettings busy_scene(IntegratorKind kind) {
  SceneSettings scene = case_scene(2, 0.05, 50);
  scene.gravity = {{0, -9.81, 0}};
  scene.integrator.kind = kind;
  scene.integrator.implicit_cfl = 2;
  const int rubber = add_material(scene, elastic_material<NeoHookean>(1e6, 0.3));
  scene.materials[rubber].expressions = {{"youngs_modulus", "1e6 + 1e5*x + 1e7*t"}};
  const int snow = add_material(scene, Snow::Parameters());
  add_box(scene, rubber, 1000, {{0, 0, 0}}, {{0.5, 0.3, 0}}).velocity = {{2, 0, 0}};
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate, 0.3);
  ColliderSettings& wheel = scene.colliders.emplace_back();
  wheel.shape.kind = ShapeType::ball;
  wheel.shape.center = {{0.9, 0.2, 0}};
  wheel.shape.radius = 0.2;
  wheel.friction.value = 0.5;
  wheel.motion.emplace();
  wheel.motion->pivot = wheel.shape.center;
  wheel.motion->rotation[2] = {0, "200*t"};
  EmitterSettings& stream = scene.emitters.emplace_back();
  stream.material = snow;
  stream.shape.kind = ShapeType::box;
  stream.shape.size = {{0.2, 0.1, 0}};
  stream.shape.center = {{0.2, 0.6, 0}};
  stream.velocity = {{0, -2, 0}};
  SinkSettings& sink = scene.sinks.emplace_back();
  sink.shape.kind = ShapeType::box;
  sink.shape.size = {{0.2, 2, 1}};
  sink.shape.center = {{-0.1, 0, 0}};
  fill_defaults(scene);
  return scene;
}

void expect_same(const StateImage& a, const StateImage& b) {
  EXPECT_TRUE(a.arrays == b.arrays);
  EXPECT_EQ(a.integers, b.integers);
}

class ImplicitRuns : public ::testing::TestWithParam<NamedIntegrator> {
 protected:
  const SceneSettings scene_ = busy_scene(GetParam().first);
  static constexpr int kFrames = 5;

  StateImage whole() const {
    const auto world = started(scene_);
    advance(*world, kFrames);
    EXPECT_GT(world->statistics().solves->newton_iterations, 0);
    return world->save();
  }
};

TEST_P(ImplicitRuns, SameBytesForOneThreadAndTwo) {
  const int before = thread_count();
  set_thread_count(1);
  const StateImage one = whole();
  set_thread_count(2);
  expect_same(one, whole());
  set_thread_count(before);
}

TEST_P(ImplicitRuns, SameBytesFromASavedState) {
  const auto world = started(scene_);
  advance(*world, 2);
  ASSERT_TRUE(world->advance_step());
  auto resumed = World::restore(scene_, Precision::double_, world->save());
  ASSERT_TRUE(resumed.ok()) << resumed.errors().front();
  advance(**resumed, kFrames - 2);
  expect_same((*resumed)->save(), whole());
}

// Stopped in the first moment of steps, and whenever a clock says so.
TEST_P(ImplicitRuns, SameBytesAfterStops) {
  auto world = started(scene_);
  for (int micros = 200; micros < 20000 && world->frame() + 1 < kFrames; micros *= 2) {
    std::atomic<bool> stop{true};
    const std::int64_t steps = world->total_steps();
    Result<FrameOutcome> outcome = world->advance_frame(stop, &stop);
    ASSERT_TRUE(outcome.ok()) << outcome.errors().front();
    EXPECT_EQ(*outcome, FrameOutcome::interrupted);
    EXPECT_EQ(world->total_steps(), steps);
    stop = false;
    std::thread stopper([&] {
      std::this_thread::sleep_for(std::chrono::microseconds(micros));
      stop = true;
    });
    outcome = world->advance_frame(stop, &stop);
    stopper.join();
    ASSERT_TRUE(outcome.ok()) << outcome.errors().front();
    auto resumed = World::restore(scene_, Precision::double_, world->save());
    ASSERT_TRUE(resumed.ok()) << resumed.errors().front();
    world = std::move(*resumed);
  }
  while (world->frame() < kFrames) advance(*world, 1);
  expect_same(world->save(), whole());
}

// A stop that is there from the start asks for one step, which is not dropped.
TEST_P(ImplicitRuns, SameBytesStepByStep) {
  const auto world = started(scene_);
  const std::atomic<bool> stop{true};
  for (std::int64_t steps = 1; world->frame() < kFrames; ++steps) {
    ASSERT_TRUE(world->advance_frame(stop).ok());
    ASSERT_EQ(world->total_steps(), steps);
  }
  expect_same(world->save(), whole());
}

// What pushes the particles before a step does so once, though the step is to be dropped.
void expect_pushed_once(const SceneSettings& scene, const std::function<void(World&)>& push) {
  const auto straight = started(scene), stopped = started(scene);
  push(*straight);
  push(*stopped);
  const std::atomic<bool> stop{true};
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(stopped->advance_frame(stop, &stop).ok());
  while (stopped->frame() < 2) advance(*stopped, 1);
  advance(*straight, 2);
  expect_same(stopped->save(), straight->save());
}
TEST_P(ImplicitRuns, AnInteractiveForceActsOnceInAStep) {
  expect_pushed_once(scene_, [](World& world) {
    InteractiveForce hand;
    hand.kind = ForceKind::pull;
    hand.velocity = {{0, 1, 0}};
    hand.radius = 0.3;
    world.set_force(hand);
  });
}
TEST_P(ImplicitRuns, ABodyForceActsOnceInAStep) {
  expect_pushed_once(scene_, [](World& world) {
    world.set_body_force([](const Vec3d& x, double time) {
      return Vec3d{{5 * x[1], 3 * time, 0}};
    });
  });
}

INSTANTIATE_TEST_SUITE_P(Kinds, ImplicitRuns, ::testing::ValuesIn(kImplicitKinds),
                         [](const auto& info) { return std::string(info.param.second); });

// A step that would take minutes is left at once.
TEST(ImplicitStops, WithinAStep) {
  SceneSettings scene = case_scene(3, 0.02, 1);
  scene.gravity = {{0, -9.81, 0}};
  scene.integrator.kind = IntegratorKind::optimization;
  scene.integrator.implicit_cfl = 16;
  scene.integrator.tolerance = 1e-12;
  scene.integrator.max_newton = 10000;
  scene.integrator.preconditioner = PreconditionerKind::none;
  add_ball(scene, add_material(scene, elastic_material<FixedCorotated>(1e9, 0.3)), 400,
           {{0, 0.21, 0}}, 0.2);
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate, 0.5);
  const auto world = started(scene);
  const StateImage before = world->save();
  std::atomic<bool> stop{false};
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    stop = true;
  });
  const Result<FrameOutcome> outcome = world->advance_frame(stop, &stop);
  stopper.join();
  ASSERT_TRUE(outcome.ok()) << outcome.errors().front();
  EXPECT_EQ(*outcome, FrameOutcome::interrupted);
  EXPECT_EQ(world->total_steps(), 0);
  expect_same(world->save(), before);
}

}  // namespace
}  // namespace firn
