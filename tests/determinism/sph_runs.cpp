// Runs of granular SPH: the same bytes for any number of threads, and from a saved state.
#include "../physics/world_run.h"
#include "busy_sand.h"
#include "exec/parallel.h"
#include "scene/defaults.h"

namespace firn {
namespace {

SceneSettings busy_scene(std::int64_t dimension) {
  SceneSettings scene = busy_sand(SolverKind::sph, dimension, 0.9);
  scene.air.emplace();
  scene.air->velocity = {{{0, "5*sin(20*t) + x"}, 0, 0}};
  fill_defaults(scene);
  return scene;
}

void expect_same(const StateImage& a, const StateImage& b) {
  ASSERT_EQ(a.arrays.size(), b.arrays.size());
  for (const auto& [name, values] : a.arrays) {
    const auto other = b.arrays.find(name);
    EXPECT_TRUE(other != b.arrays.end() && values == other->second) << name;
  }
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
