// Runs with fine grains: the same bytes for any number of threads, and from a saved state, with
// MPM and SPH, emitters, sinks and bodies that move.
#include "../physics/world_run.h"
#include "busy_sand.h"
#include "exec/parallel.h"
#include "scene/defaults.h"

namespace firn {
namespace {

SceneSettings busy_scene(SolverKind solver, std::int64_t dimension) {
  SceneSettings scene = busy_sand(solver, dimension, 0.7);
  scene.grains.emplace().per_particle = 12;
  fill_defaults(scene);
  return scene;
}

struct Case {
  SolverKind solver;
  int dimension;
};

class GrainRuns : public ::testing::TestWithParam<Case> {
 protected:
  const SceneSettings scene_ = busy_scene(GetParam().solver, GetParam().dimension);
  static constexpr int kFrames = 5;

  StateImage whole() const {
    const auto world = started(scene_);
    advance(*world, kFrames);
    EXPECT_GT(world->statistics().fine_grains.value_or(0), 0u);
    return world->save();
  }
};

TEST_P(GrainRuns, SameBytesForOneThreadAndTwo) {
  const int before = thread_count();
  set_thread_count(1);
  const StateImage one = whole();
  set_thread_count(2);
  EXPECT_TRUE(one.arrays == whole().arrays);
  set_thread_count(before);
}

// Within a frame, while grains lag some steps behind.
TEST_P(GrainRuns, SameBytesFromASavedState) {
  const StateImage straight = whole();
  for (const int steps : {1, 3}) {
    const auto world = started(scene_);
    advance(*world, 2);
    for (int i = 0; i < steps; ++i) ASSERT_TRUE(world->advance_step());
    auto resumed = World::restore(scene_, Precision::double_, world->save());
    ASSERT_TRUE(resumed.ok()) << resumed.errors().front();
    while ((*resumed)->frame() < kFrames) advance(**resumed, 1);
    EXPECT_TRUE((*resumed)->save().arrays == straight.arrays);
  }
}

TEST_P(GrainRuns, GrainsDoNotChangeTheParticles) {
  SceneSettings alone = scene_;
  alone.grains.reset();
  const auto world = started(alone);
  advance(*world, kFrames);
  const StateImage with = whole(), without = world->save();
  for (const auto& [name, values] : without.arrays) EXPECT_TRUE(with.arrays.at(name) == values);
}

// Of what was there at the start, what was poured, and what still comes.
TEST_P(GrainRuns, GrainsAreMadeOfParticlesAsTheyLie) {
  SceneSettings alone = scene_, other = scene_;
  alone.grains.reset();
  other.grains->per_particle = 5;
  const auto world = started(alone);
  advance(*world, 2);
  StateImage image = world->save_for(scene_);
  for (const SceneSettings* scene : {&scene_, static_cast<const SceneSettings*>(&other)}) {
    auto made = World::restore(*scene, Precision::double_, image);
    ASSERT_TRUE(made.ok()) << made.errors().front();
    const FrameStats stats = (*made)->statistics();
    EXPECT_EQ(stats.fine_grains, stats.particles * scene->grains->per_particle);
    advance(**made, 1);
    EXPECT_GT((*made)->statistics().fine_grains, stats.fine_grains);
    image = (*made)->save_for(other);
  }
}

TEST_P(GrainRuns, DamagedGrainsAreRefused) {
  const auto world = started(scene_);
  advance(*world, 1);
  StateImage image = world->save();
  auto& begin = std::get<std::vector<std::uint32_t>>(image.arrays.at("fine_grains/begin"));
  begin[begin.size() / 2] = UINT32_MAX;
  EXPECT_FALSE(World::restore(scene_, Precision::double_, image).ok());
  image.arrays.erase("fine_grains/begin");
  EXPECT_FALSE(World::restore(scene_, Precision::double_, image).ok());
}

INSTANTIATE_TEST_SUITE_P(Solvers, GrainRuns,
                         ::testing::Values(Case{SolverKind::mpm, 2}, Case{SolverKind::sph, 2},
                                           Case{SolverKind::sph, 3}),
                         [](const auto& info) {
                           return std::string(info.param.solver == SolverKind::mpm ? "Mpm"
                                                                                   : "Sph") +
                                  std::to_string(info.param.dimension) + "d";
                         });

}  // namespace
}  // namespace firn
