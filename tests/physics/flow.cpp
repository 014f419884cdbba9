// Emitters and sinks: mass flow, evenness, counts and ids, restarts.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <set>

#include "jet_scene.h"
#include "sim/emitter.h"
#include "world_run.h"

namespace firn {
namespace {

TEST(Emitter, FlowIsDensityTimesAreaTimesSpeed) {
  for (const int dimension : {2, 3}) {
    const SceneSettings scene = jet_scene(dimension);
    const auto world = started(scene);
    advance(*world, 20);
    const double area = 0.4 * (dimension == 3 ? 0.3 : 1);
    const double expected = scene.emitters[0].density * area * 1.0 * world->time();
    EXPECT_NEAR(world->statistics().mass, expected, 0.03 * expected) << dimension;
    EXPECT_NEAR(world->statistics().momentum[0], expected, 0.03 * expected);
  }
}

// The jet is as even as the reservoir: one particle in each cell of it, no gaps, no clumps.
TEST(Emitter, AJetHasNeitherGapsNorClumps) {
  const auto world = started(jet_scene(2));
  advance(*world, 20);
  const PointTable table = world->snapshot({});
  const auto x = table.as_double("x"), y = table.as_double("y");
  std::vector<int> layer(30, 0);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (x[i] > 0.05 && x[i] < 0.8 && std::abs(y[i]) < 0.2)
      ++layer[static_cast<int>((x[i] - 0.05) / 0.025)];
  for (int k = 0; k < 30; ++k) EXPECT_NEAR(layer[k], 16, 4) << "layer " << k;
  double nearest = 1;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      nearest = std::min(nearest, std::hypot(x[i] - x[j], y[i] - y[j]));
  EXPECT_GT(nearest, 0.4 * 0.025);
}

// What comes out does not depend on how time is cut into steps.
TEST(Emitter, OutputDependsOnTimeAlone) {
  const SceneSettings scene = jet_scene(3);
  const Emitter emitter(scene, 0);
  const auto whole = emitter.positions(0, 1);
  std::size_t pieces = 0;
  for (int i = 0; i < 64; ++i) pieces += emitter.positions(i / 64.0, (i + 1) / 64.0).size();
  EXPECT_NEAR(double(pieces), double(whole.size()), 0.005 * double(whole.size()));
  EXPECT_EQ(emitter.positions(0.3, 0.5).size(), emitter.positions(0.3, 0.5).size());
}

TEST(Emitter, RateSetsTheMassFlow) {
  SceneSettings scene = jet_scene(3);
  scene.emitters[0].rate = 30;
  const auto world = started(scene);
  advance(*world, 20);
  EXPECT_NEAR(world->statistics().mass, 30, 2);
}

TEST(Emitter, OpensAndCloses) {
  SceneSettings scene = jet_scene(2);
  scene.emitters[0].start = 0.2;
  scene.emitters[0].stop = 0.4;
  const auto world = started(scene);
  advance(*world, 4);
  EXPECT_EQ(world->statistics().particles, 0u);
  advance(*world, 4);
  const std::size_t count = world->statistics().particles;
  EXPECT_GT(count, 50u);
  advance(*world, 4);
  EXPECT_EQ(world->statistics().particles, count);
}

TEST(Emitter, UntilFullStopsWhereThereIsNoRoom) {
  SceneSettings scene = jet_scene(2);
  scene.emitters[0].until_full = true;
  ColliderSettings& box = scene.colliders.emplace_back();
  box.name = "box";
  box.shape.kind = ShapeType::box;
  box.shape.size = {{1.0, 0.5, 1}};
  box.shape.inside = true;
  std::get<NeoHookean::Parameters>(scene.materials[0].parameters).youngs_modulus = 1e4;
  const auto world = started(scene);
  advance(*world, 60);
  const double full = 0.5 / (0.025 * 0.025);
  EXPECT_LT(world->statistics().particles, 1.35 * full);
  EXPECT_GT(world->statistics().particles, 0.5 * full);
}

// A mouth on the seam of a periodic axis finds what lies on its other side: it fills the channel
// as one in the middle does.
TEST(Emitter, RoomIsLookedForAcrossTheSeam) {
  const auto filled = [](double middle) {
    SceneSettings scene = jet_scene(2);
    scene.grid.periodic.axes[0] = Interval{0, 1.2};
    EmitterSettings& e = scene.emitters[0];
    e.until_full = true;
    e.shape.size = {{0.8, 0.1, 1}};
    e.shape.center = {{middle, 0.2, 0}};
    e.velocity = {{0, -1, 0}};
    add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::sticky);
    std::get<NeoHookean::Parameters>(scene.materials[0].parameters).youngs_modulus = 1e4;
    const auto world = started(scene);
    advance(*world, 30);
    return double(world->statistics().particles);
  };
  const double inside = filled(0.6);
  EXPECT_NEAR(filled(0), inside, 0.03 * inside);
}

// Half of the full flow into a bin: volume over mass / density at rest, by the centre of mass.
double poured_level(ModelParameters parameters) {
  constexpr double kBin = 0.3, kLevel = 0.15;
  SceneSettings scene = case_scene(2, 0.03, 20);
  scene.gravity = {{0, -9.81, 0}};
  add_material(scene, std::move(parameters));
  add_container(scene, {{0, 0, 0}}, {{kBin, 3, 0}}, ContactKind::separate);
  EmitterSettings& e = scene.emitters.emplace_back();
  e.shape.kind = ShapeType::box;
  e.shape.size = {{kBin, 0.06, 0}};
  e.shape.center = {{0.5 * kBin, 0.5, 0}};
  e.velocity = {{0, -1, 0}};
  e.density = 1000;
  e.rate = 0.5 * 1000 * kBin;
  e.stop = kLevel / 0.5;
  fill_defaults(scene);
  const auto world = started(scene);
  advance(*world, 30);
  double sum = 0;
  const auto y = world->snapshot({}).as_double("y");
  for (const double at : y) sum += at;
  return 2 * sum / double(y.size()) * kBin * 1000 / world->statistics().mass;
}

// They used to resist as soon as they met, at twice their volume.
TEST(Emitter, WhatIsPouredTakesItsVolume) {
  EXPECT_NEAR(poured_level(Sand::Parameters{}), 1, 0.05);
  EXPECT_NEAR(poured_level(Fluid::Parameters{}), 1, 0.05);
}

// In flight nothing acts on particles that come apart: momentum is mass times velocity.
TEST(Emitter, AThinStreamKeepsItsVelocity) {
  for (const ModelParameters& parameters :
       {ModelParameters(Sand::Parameters{}), ModelParameters(Fluid::Parameters{}),
        ModelParameters(Snow::Parameters{})}) {
    SceneSettings scene = jet_scene(2);
    scene.materials[0].parameters = parameters;
    scene.emitters[0].density = 1000;
    scene.emitters[0].rate = 100;
    const auto world = started(scene);
    advance(*world, 20);
    const FrameStats stats = world->statistics();
    EXPECT_NEAR(stats.mass, 100 * world->time(), 3);
    EXPECT_NEAR(stats.momentum[0], stats.mass, 1e-9 * stats.mass);
    EXPECT_LT(stats.elastic, 1e-20 * stats.kinetic);
  }
}

SceneSettings drain_scene() {
  SceneSettings scene = jet_scene(2);
  SinkSettings& sink = scene.sinks.emplace_back();
  sink.name = "drain";
  sink.shape.kind = ShapeType::box;
  sink.shape.size = {{0.4, 2, 1}};
  sink.shape.center = {{0.7, 0, 0}};
  return scene;
}

TEST(Sink, RemovesWhatEntersItAndNothingElse) {
  const auto world = started(drain_scene());
  advance(*world, 30);
  const FrameStats stats = world->statistics();
  ASSERT_TRUE(stats.flow.has_value());
  EXPECT_GT(stats.flow->removed, 100u);
  EXPECT_EQ(stats.flow->emitted - stats.flow->removed, stats.particles);
  EXPECT_NEAR(stats.flow->emitted_mass - stats.flow->removed_mass, stats.mass,
              1e-9 * stats.flow->emitted_mass);
  const PointTable table = world->snapshot({"id"});
  const auto x = table.as_double("x");
  for (const double value : x) EXPECT_LT(value, 0.5);
  const auto ids = table.as<std::uint32_t>("id");
  const std::set<std::uint32_t> different(ids.begin(), ids.end());
  EXPECT_EQ(different.size(), ids.size());
}

// Particles keep their numbers: a number seen in two frames is the same particle.
TEST(Sink, IdsStayWithTheirParticles) {
  const auto world = started(drain_scene());
  advance(*world, 12);
  const PointTable before = world->snapshot({"id"});
  advance(*world, 1);
  const PointTable after = world->snapshot({"id"});
  const auto old_id = before.as<std::uint32_t>("id"), new_id = after.as<std::uint32_t>("id");
  const auto old_x = before.as_double("x"), new_x = after.as_double("x");
  std::size_t found = 0;
  for (std::size_t i = 0, j = 0; i < old_id.size() && j < new_id.size();) {
    if (old_id[i] == new_id[j]) {
      EXPECT_NEAR(new_x[j] - old_x[i], 0.05, 0.02);
      ++found, ++i, ++j;
    } else {
      old_id[i] < new_id[j] ? ++i : ++j;
    }
  }
  EXPECT_GT(found, 100u);
}

TEST(Sink, TheRemovalBoxKeepsItsInside) {
  SceneSettings scene = jet_scene(2);
  SinkSettings& sink = scene.sinks.emplace_back();
  sink.name = "world";
  sink.shape.kind = ShapeType::box;
  sink.shape.size = {{0.8, 0.3, 1}};
  sink.shape.inside = true;
  const auto world = started(scene);
  advance(*world, 20);
  const PointTable table = world->snapshot({});
  const auto x = table.as_double("x"), y = table.as_double("y");
  EXPECT_GT(x.size(), 100u);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_LE(std::abs(x[i]), 0.4);
    EXPECT_LE(std::abs(y[i]), 0.15);
  }
}

TEST(Flow, ARestartInTheMiddleIsTheSameRun) {
  const SceneSettings scene = drain_scene();
  const auto whole = started(scene);
  advance(*whole, 10);
  const auto half = started(scene);
  advance(*half, 5);
  half->advance_step().ok();
  auto resumed = World::restore(scene, Precision::double_, half->save());
  ASSERT_TRUE(resumed.ok()) << resumed.errors().front();
  const std::atomic<bool> stop{false};
  while ((*resumed)->frame() < 10) ASSERT_TRUE((*resumed)->advance_frame(stop).ok());
  const PointTable a = whole->snapshot({"velocity", "id"}),
                   b = (*resumed)->snapshot({"velocity", "id"});
  ASSERT_EQ(a.count, b.count);
  for (std::size_t c = 0; c < a.columns.size(); ++c)
    EXPECT_EQ(a.columns[c].values, b.columns[c].values) << a.columns[c].name;
}

}  // namespace
}  // namespace firn
