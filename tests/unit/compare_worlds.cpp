// What counts as agreement of two worlds.
#include "cases/compare_devices.h"

#include <gtest/gtest.h>

#include <thread>

#include "cases/agreement_scenes.h"
#include "exec/parallel.h"

namespace firn {
namespace {

AgreementScene scene_of(const std::string& name, int dimension = 2) {
  for (const AgreementScene& scene : agreement_scenes(dimension))
    if (scene.name == name) return scene;
  ADD_FAILURE() << name;
  return {};
}

std::unique_ptr<World> run(const SceneSettings& scene, Precision precision, int steps) {
  auto world = World::create(scene, precision);
  EXPECT_TRUE(world.ok()) << world.errors().front();
  EXPECT_TRUE(take_steps(**world, steps).empty());
  return std::move(*world);
}

TEST(CompareWorlds, TheSameWorldHasNoDifference) {
  const AgreementScene test = scene_of("emitter_and_sink");
  const int before = thread_count();
  const auto one = run(test.scene, Precision::single, test.steps);
  set_thread_count(1);
  const auto other = run(test.scene, Precision::single, test.steps);
  set_thread_count(before);
  const Agreement same = compare_worlds(test.scene, *one, *other);
  EXPECT_EQ(same.difference, 0) << same.field;
  EXPECT_GT(one->statistics().flow->emitted, 0u);
}

TEST(CompareWorlds, WorldsInTwoThreadsAreAsAlone) {
  const AgreementScene tests[2] = {scene_of("emitter_and_sink"), scene_of("moving_box", 3)};
  std::unique_ptr<World> alone[2], beside[2];
  for (int k = 0; k < 2; ++k) alone[k] = run(tests[k].scene, Precision::single, tests[k].steps);
  std::vector<std::thread> threads;
  for (int k = 0; k < 2; ++k)
    threads.emplace_back(
        [&, k] { beside[k] = run(tests[k].scene, Precision::single, tests[k].steps); });
  for (std::thread& thread : threads) thread.join();
  for (int k = 0; k < 2; ++k)
    EXPECT_EQ(compare_worlds(tests[k].scene, *alone[k], *beside[k]).difference, 0) << k;
}

TEST(CompareWorlds, AChangeIsFoundAndNamed) {
  const AgreementScene test = scene_of("gravity_in_time", 3);
  const auto world = run(test.scene, Precision::double_, 5);
  SceneSettings changed = test.scene;
  changed.objects[0].velocity[0] = 1 + 1e-6;
  const auto other = run(changed, Precision::double_, 5);
  const Agreement found = compare_worlds(test.scene, *world, *other);
  EXPECT_GT(found.difference, 1e-8);
  EXPECT_LT(found.difference, 1e-3);
  EXPECT_FALSE(found.field.empty());
  changed.objects[0].sampling.particles_per_cell = 4;
  const Agreement fewer = compare_worlds(test.scene, *world, *run(changed, Precision::double_, 5));
  EXPECT_EQ(fewer.field, "id");
  EXPECT_EQ(fewer.difference, INFINITY);
}

// Rounding in single precision stays below what is tolerated there, by far above what double has.
TEST(CompareWorlds, PrecisionsAgreeWithinTheToleranceOfFloat) {
  for (const char* name : {"moving_box", "gravity_in_space"}) {
    const AgreementScene test = scene_of(name);
    const auto exact = run(test.scene, Precision::double_, kAgreementSteps);
    const auto rounded = run(test.scene, Precision::single, kAgreementSteps);
    const Agreement found = compare_worlds(test.scene, *exact, *rounded);
    EXPECT_LT(found.difference, agreement_tolerance(Precision::single)) << found.field;
    EXPECT_GT(found.difference, agreement_tolerance(Precision::double_)) << found.field;
  }
}

// The scenes that devices are compared with must not hang on rounding: one step more in a frame, or
// a particle that is just met or not. Changes as large as the rounding of floats are told by small
// differences; with doubles, whose own rounding differs by the compiler's flags, but not so much.
TEST(CompareWorlds, ScenesOfTheAgreementDependOnTheirStartSmoothly) {
  for (const int dimension : {2, 3})
    for (const AgreementScene& test : agreement_scenes(dimension)) {
      const auto run_from = [&](double factor) {
        SceneSettings scene = test.scene;
        for (ObjectSettings& object : scene.objects)
          for (NumberOrExpression& v : object.velocity) v.value *= factor;
        // How many particles came by the end is a matter of their speed, not of rounding.
        if (scene.objects.empty())
          for (EmitterSettings& emitter : scene.emitters)
            emitter.velocity = emitter.velocity * factor;
        auto world = World::create(scene, Precision::double_);
        EXPECT_TRUE(world.ok()) << world.errors().front();
        if (test.prepare) test.prepare(**world);
        EXPECT_TRUE(take_steps(**world, test.steps).empty());
        return std::move(*world);
      };
      const auto world = run_from(1);
      // Some particle is always about to enter a sink.
      const double change = test.scene.sinks.empty() ? 3e-5 : 1e-6;
      for (const double factor : {1 - change, 1 + change}) {
        const Agreement found = compare_worlds(test.scene, *world, *run_from(factor));
        EXPECT_GT(found.difference, 0) << test.name;
        EXPECT_LT(found.difference, agreement_tolerance(Precision::single))
            << test.name << " " << dimension << "D, " << found.field;
      }
    }
}

}  // namespace
}  // namespace firn
