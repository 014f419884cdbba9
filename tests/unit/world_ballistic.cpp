// A small solver through the world: what every solver gets for its few functions.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "ballistic_solver.h"
#include "cases/case_tools.h"
#include "scene/defaults.h"
#include "scene/particle_sets.h"

namespace firn {
namespace {

const BallisticMaker kBallistic;

std::unique_ptr<World> made(Result<std::unique_ptr<World>> world) {
  EXPECT_TRUE(world) << (world ? "" : world.errors()[0]);
  return world ? std::move(*world) : nullptr;
}

SceneSettings flying_box(int dimension) {
  SceneSettings scene = case_scene(dimension, 0.1, 20);
  scene.gravity[1].value = -9.81;
  const int material = add_material(scene, elastic_material<NeoHookean>(1e5, 0.3));
  add_box(scene, material, 1000, {{0, 0, 0}}, {{0.4, 0.4, 0.4}}).velocity[0].value = 2;
  fill_defaults(scene);
  return scene;
}

// v' = g - k v has a solution.
TEST(BallisticWorld, FliesAsDragAndGravityWantIt) {
  constexpr double k = BallisticSolver<double, 2>::kDrag, g = -9.81;
  for (const int dimension : {2, 3}) {
    const auto world =
        made(World::create(flying_box(dimension), Precision::double_, Device::cpu, &kBallistic));
    ASSERT_TRUE(world);
    const double mass = world->statistics().mass;
    ASSERT_TRUE(run_frames(*world, 10).empty());
    const double t = world->time(), decay = std::exp(-k * t);
    const FrameStats stats = world->statistics();
    EXPECT_NEAR(stats.momentum[0] / mass, 2 * decay, 1e-9);
    EXPECT_NEAR(stats.momentum[1] / mass, g / k * (1 - decay), 1e-9);
    const auto y = world->snapshot({}).as_double("y");
    double mean = 0;
    for (const double v : y) mean += v / double(y.size());
    EXPECT_NEAR(mean - 0.2, g / k * (t - (1 - decay) / k), 1e-6);
    EXPECT_EQ(stats.elastic, 0);
  }
}

// One material in two species is two sets; frames tell the material, and a checkpoint both.
TEST(BallisticWorld, KeepsSpeciesApart) {
  SceneSettings scene = flying_box(2);
  const int other = add_material(scene, elastic_material<NeoHookean>(1e4, 0.3));
  add_box(scene, other, 500, {{2, 0, 0}}, {{2.2, 0.2, 0.2}}).species = "water";
  add_box(scene, 0, 1000, {{1, 0, 0}}, {{1.2, 0.2, 0.2}}).species = "water";
  add_box(scene, 0, 1000, {{3, 0, 0}}, {{3.2, 0.2, 0.2}});
  fill_defaults(scene);
  EXPECT_EQ(species_names(scene), (std::vector<std::string>{"default", "water"}));
  EXPECT_EQ(planned_sets(scene), (std::vector<PlannedSet>{{0, 0}, {1, 1}, {0, 1}}));
  const auto world = made(World::create(scene, Precision::double_, Device::cpu, &kBallistic));
  ASSERT_TRUE(world);
  ASSERT_TRUE(run_frames(*world, 2).empty());
  const StateImage image = world->save();
  EXPECT_EQ(image.integers.at("sets"), 3);
  const auto materials = world->snapshot({"material"}).as<std::int32_t>("material");
  const auto of_first = std::count(materials.begin(), materials.end(), 0);
  EXPECT_EQ(of_first, image.integers.at("set0/count") + image.integers.at("set2/count"));
  EXPECT_EQ(std::count(materials.begin(), materials.end(), 1), image.integers.at("set1/count"));
  EXPECT_GT(image.integers.at("set2/count"), 0);
  const auto again =
      made(World::restore(scene, Precision::double_, image, Device::cpu, &kBallistic));
  ASSERT_TRUE(again);
  ASSERT_TRUE(run_frames(*world, 1).empty());
  ASSERT_TRUE(run_frames(*again, 1).empty());
  EXPECT_EQ(world->snapshot({}).as_double("y"), again->snapshot({}).as_double("y"));
}

SceneSettings fountain() {
  SceneSettings scene = flying_box(2);
  EmitterSettings& emitter = scene.emitters.emplace_back();
  emitter.name = "nozzle";
  emitter.shape.kind = ShapeType::box;
  emitter.shape.center = {{3, 0.5, 0}};
  emitter.shape.size = {{0.4, 0.1, 0.4}};
  emitter.velocity = {{0, 1, 0}};
  emitter.stop = 0.3;
  SinkSettings& sink = scene.sinks.emplace_back();
  sink.name = "drain";
  sink.shape.kind = ShapeType::box;
  sink.shape.center = {{3, -0.8, 0}};
  sink.shape.size = {{0.8, 0.3, 2}};
  add_plane(scene, {{0, -1, 0}}, {{0, 1, 0}}, ContactKind::separate).name = "floor";
  ProbeSettings& probe = scene.probes.emplace_back();
  probe.name = "above";
  probe.position = {{0.2, 0.2, 0}};
  probe.radius = 0.5;
  probe.fields = {"density", "velocity"};
  fill_defaults(scene);
  return scene;
}

TEST(BallisticWorld, HasSourcesSinksObstaclesAndProbes) {
  const auto world = made(World::create(fountain(), Precision::single, Device::cpu, &kBallistic));
  ASSERT_TRUE(world);
  EXPECT_FALSE(world->statistics().probes.empty());
  const std::size_t first = world->statistics().particles;
  double push = 0;
  for (int frame = 0; frame < 30; ++frame) {
    ASSERT_TRUE(run_frames(*world, 1).empty());
    push += world->statistics().colliders[0].force[1];
  }
  const FrameStats stats = world->statistics();
  ASSERT_TRUE(stats.flow);
  EXPECT_GT(stats.flow->emitted, 0u);
  EXPECT_GT(stats.flow->removed, 0u);
  EXPECT_EQ(stats.particles, first + stats.flow->emitted - stats.flow->removed);
  EXPECT_LT(push, 0);  // what bounced pushed the floor down
}

TEST(BallisticWorld, ResumesBitByBit) {
  const SceneSettings scene = fountain();
  const auto world = made(World::create(scene, Precision::single, Device::cpu, &kBallistic));
  ASSERT_TRUE(world && run_frames(*world, 7).empty());
  const StateImage image = world->save();
  const auto again =
      made(World::restore(scene, Precision::single, image, Device::cpu, &kBallistic));
  ASSERT_TRUE(again);
  ASSERT_TRUE(run_frames(*world, 5).empty() && run_frames(*again, 5).empty());
  EXPECT_EQ(world->save().arrays, again->save().arrays);
}

TEST(BallisticWorld, SaysWhatItCannotDo) {
  const auto world = World::create(flying_box(2), Precision::single, Device::cuda, &kBallistic);
  ASSERT_FALSE(world);
  EXPECT_NE(world.errors()[0].find("CPU"), std::string::npos);
}

}  // namespace
}  // namespace firn
