// Runs of granular SPH: the same bytes for any number of threads, and from a saved state.
#include "../physics/world_run.h"
#include "exec/parallel.h"
#include "scene/defaults.h"

namespace firn {
namespace {

// Sand falls onto a wheel that turns, under a stream that a sink swallows.
SceneSettings busy_scene(std::int64_t dimension) {
  SceneSettings scene = case_scene(dimension, 0.05, 50);
  scene.solver = SolverKind::sph;
  scene.gravity = {{0, -9.81, 0}};
  const int sand = add_material(scene, Sand::Parameters());
  const double depth = dimension == 3 ? 0.1 : 0;
  add_box(scene, sand, 1500, {{0, 0.1, 0}}, {{0.4, 0.4, depth}}).velocity = {{2, -1, 0}};
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate, 0.5);
  ColliderSettings& wheel = scene.colliders.emplace_back();
  wheel.shape.kind = ShapeType::ball;
  wheel.shape.center = {{0.6, 0.15, 0}};
  wheel.shape.radius = 0.15;
  wheel.friction.value = 0.5;
  wheel.motion.emplace();
  wheel.motion->pivot = wheel.shape.center;
  wheel.motion->rotation[2] = {0, "200*t"};
  EmitterSettings& stream = scene.emitters.emplace_back();
  stream.material = sand;
  stream.shape.kind = ShapeType::box;
  stream.shape.size = {{0.2, 0.1, depth}};
  stream.shape.center = {{0.2, 0.6, depth / 2}};
  stream.velocity = {{0, -2, 0}};
  scene.air.emplace();
  scene.air->velocity = {{{0, "5*sin(20*t) + x"}, 0, 0}};
  SinkSettings& sink = scene.sinks.emplace_back();
  sink.shape.kind = ShapeType::box;
  sink.shape.size = {{0.2, 2, 1}};
  sink.shape.center = {{0.9, 0, 0}};
  fill_defaults(scene);
  return scene;
}

void expect_same(const StateImage& a, const StateImage& b) {
  EXPECT_TRUE(a.arrays == b.arrays);
  EXPECT_EQ(a.integers, b.integers);
}

class SphRuns : public ::testing::TestWithParam<int> {
 protected:
  const SceneSettings scene_ = busy_scene(GetParam());
  static constexpr int kFrames = 6;

  StateImage whole() const {
    const auto world = started(scene_);
    advance(*world, kFrames);
    EXPECT_GT(world->statistics().grains->iterations, 0);
    return world->save();
  }
};

TEST_P(SphRuns, SameBytesForOneThreadAndTwo) {
  const int before = thread_count();
  set_thread_count(1);
  const StateImage one = whole();
  set_thread_count(2);
  expect_same(one, whole());
  set_thread_count(before);
}

// Within a frame, while lists of neighbours are some steps old.
TEST_P(SphRuns, SameBytesFromASavedState) {
  const StateImage straight = whole();
  for (const int steps : {1, 2, 3}) {
    const auto world = started(scene_);
    advance(*world, 2);
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(world->advance_step());
    auto resumed = World::restore(scene_, Precision::double_, world->save());
    ASSERT_TRUE(resumed.ok()) << resumed.errors().front();
    while ((*resumed)->frame() < kFrames) advance(**resumed, 1);
    expect_same((*resumed)->save(), straight);
  }
}

INSTANTIATE_TEST_SUITE_P(Dimensions, SphRuns, ::testing::Values(2, 3),
                         [](const auto& info) { return "In" + std::to_string(info.param) + "d"; });

}  // namespace
}  // namespace firn
