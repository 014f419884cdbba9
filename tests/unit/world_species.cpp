// Worlds in which species share space: the same bits however they are computed, momentum to
// round-off, and statistics by species.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <nlohmann/json.hpp>

#include "exec/parallel.h"
#include "run/stats.h"
#include "scene_common.h"
#include "sim/world.h"

namespace firn {
namespace {

// Water falls into sand that is the weaker the wetter it is, on a floor.
constexpr const char* kFallingIn = R"j({
  "dimension": 2, "fps": 60, "grid": {"spacing": 0.05},
  "materials": {"water": {"model": "fluid", "bulk_modulus": 2e4},
                "sand": {"model": "sand", "youngs_modulus": 1e5, "cohesion": "400*(1 - phi)"}},
  "objects": [
    {"name": "bed", "shape": {"type": "rectangle", "min": [-0.5, 0], "max": [0.2, 0.4]},
     "material": "sand", "species": "sand", "seed": 3},
    {"name": "drop", "shape": {"type": "rectangle", "min": [-0.3, 0.2], "max": [0.5, 0.6]},
     "material": "water", "species": "water", "velocity": [0.5, -1], "seed": 4}],
  "colliders": [{"shape": {"type": "plane"}, "friction": 0.4}],
  "porous": {"pairs": [{"solid": "sand", "fluid": "water", "conductivity": 0.05}]}
})j";

const Lines kCouplings[] = {{"/porous/coupling=implicit"},
                            {"/porous/coupling=implicit", "/porous/buoyancy=true"},
                            {"/porous/coupling=mixture"}};

SceneSettings falling_in(Lines changes, const Lines& more = {}) {
  changes.insert(changes.end(), more.begin(), more.end());
  return scene_with(changes, kFallingIn);
}

std::unique_ptr<World> world_of(const SceneSettings& scene,
                                Precision precision = Precision::single) {
  auto world = World::create(scene, precision);
  EXPECT_TRUE(world) << world.errors().front();
  return world ? std::move(*world) : nullptr;
}

void take_steps(World& world, int count) {
  for (int i = 0; i < count; ++i) {
    const Result<double> dt = world.advance_step();
    ASSERT_TRUE(dt) << dt.errors().front();
  }
}

void expect_same_state(const World& a, const World& b) {
  const StateImage x = a.save(), y = b.save();
  for (const auto& [name, array] : x.arrays)
    EXPECT_TRUE(y.arrays.count(name) == 1 && array == y.arrays.at(name)) << name;
  EXPECT_EQ(x.integers, y.integers);
  EXPECT_EQ(x.reals.at("max_signal"), y.reals.at("max_signal"));
}

TEST(WorldSpecies, TheSameBitsForAnyThreadCount) {
  const int before = thread_count();
  for (const Lines& coupling : kCouplings) {
    const SceneSettings scene = falling_in(coupling);
    std::unique_ptr<World> worlds[3];
    for (int threads = 1; threads <= 3; ++threads) {
      set_thread_count(threads);
      worlds[threads - 1] = world_of(scene);
      take_steps(*worlds[threads - 1], 80);
    }
    SCOPED_TRACE(coupling.back());
    expect_same_state(*worlds[0], *worlds[1]);
    expect_same_state(*worlds[0], *worlds[2]);
    // Statistics too: sums are taken in a fixed order.
    set_thread_count(1);
    FrameStats one = worlds[0]->statistics();
    set_thread_count(3);
    FrameStats three = worlds[2]->statistics();
    one.wall = three.wall = 0;
    one.phases = three.phases = {};
    EXPECT_EQ(stats_line(one, 2), stats_line(three, 2));
  }
  set_thread_count(before);
}

TEST(WorldSpecies, TheSameBitsWhenStoppedAndResumed) {
  for (const Lines& coupling : kCouplings)
    for (const char* transfer : {"/transfer=mls", "/transfer=flip"}) {
      SCOPED_TRACE(coupling.back() + " " + transfer);
      const SceneSettings scene = falling_in(coupling, {transfer});
      const auto straight = world_of(scene);
      auto stopped = world_of(scene);
      for (const int steps : {1, 5, 9, 30}) {  // neither eighths nor tenths of each other
        take_steps(*straight, steps);
        take_steps(*stopped, steps);
        auto restored = World::restore(scene, Precision::single, stopped->save());
        ASSERT_TRUE(restored) << restored.errors().front();
        stopped = std::move(*restored);
        expect_same_state(*straight, *stopped);
      }
    }
}

// Nothing from outside acts: what one species loses the other gets.
TEST(WorldSpecies, KeepMomentumToRoundOff) {
  for (const Lines& coupling : kCouplings) {
    SCOPED_TRACE(coupling.back());
    const SceneSettings scene = falling_in(coupling, {"/gravity=[0,0]", "/colliders=[]"});
    const auto world = world_of(scene, Precision::double_);
    const FrameStats start = world->statistics();
    take_steps(*world, 150);
    const FrameStats end = world->statistics();
    ASSERT_EQ(end.species.size(), 2u);
    const double scale = start.mass * 1;  // 1 m/s
    for (int a = 0; a < 2; ++a) EXPECT_NEAR(end.momentum[a], start.momentum[a], 1e-13 * scale) << a;
    EXPECT_NEAR(end.mass, start.mass, 1e-14 * start.mass);
    // They did act on each other.
    const double passed = end.species[0].momentum[1] - start.species[0].momentum[1];
    EXPECT_LT(passed, -0.02 * start.species[1].mass);
  }
}

// A fluid of one density lays its pressure alone, without slopes, and others with their volumes:
// what the sand gets of it is the same. A drop of another density far away tells the two apart.
TEST(WorldSpecies, BuoyancyIsTheSameHoweverPressureIsLaid) {
  const std::string text = kFallingIn;
  const std::size_t end = text.find("],\n  \"colliders\"");
  const std::string uneven = text.substr(0, end) + R"j(,
    {"name": "far", "shape": {"type": "rectangle", "min": [3, 1], "max": [3.05, 1.05]},
     "material": "water", "species": "water", "density": 1000.000001})j" +
                             text.substr(end);
  const auto momentum = [](const std::string& scene, const char* kernel, const char* buoyancy) {
    const auto world = world_of(
        scene_with({"/kernel=" + std::string(kernel), buoyancy, "/porous/pairs/0/conductivity=50"},
                   scene.c_str()),
        Precision::double_);
    take_steps(*world, 60);
    return world->statistics().species[0].momentum;
  };
  for (const char* kernel : {"quadratic", "cubic"}) {
    SCOPED_TRACE(kernel);
    const Vec3d even = momentum(text, kernel, "/porous/buoyancy=true");
    const Vec3d apart = momentum(uneven, kernel, "/porous/buoyancy=true");
    const Vec3d none = momentum(text, kernel, "/porous/buoyancy=false");
    for (int a = 0; a < 2; ++a)
      EXPECT_NEAR(even[a], apart[a], 0.02 * std::abs(even[a] - none[a])) << a;
    EXPECT_GT(std::abs(even[1] - none[1]), 0.01 * std::abs(none[1]));
  }
}

TEST(WorldSpecies, StatisticsAddUpToThoseOfAll) {
  for (const Precision precision : {Precision::single, Precision::double_}) {
    const auto world = world_of(falling_in(kCouplings[0]), precision);
    take_steps(*world, 40);
    const FrameStats stats = world->statistics();
    ASSERT_EQ(stats.species.size(), 2u);
    const SpeciesStats &sand = stats.species[0], &water = stats.species[1];
    EXPECT_EQ(sand.name, "sand");
    EXPECT_EQ(water.name, "water");
    EXPECT_EQ(sand.particles + water.particles, stats.particles);
    EXPECT_NEAR(sand.mass + water.mass, stats.mass, 1e-12 * stats.mass);
    EXPECT_NEAR(sand.kinetic + water.kinetic, stats.kinetic, 1e-12 * stats.kinetic);
    for (int a = 0; a < 2; ++a)
      EXPECT_NEAR(sand.momentum[a] + water.momentum[a], stats.momentum[a], 1e-10 * stats.mass);
    // The water covers a third of the sand, and is full of itself where it is deep.
    ASSERT_TRUE(sand.phi && water.phi);
    EXPECT_GT(*sand.phi, 0.2);
    EXPECT_LT(*sand.phi, 0.7);
    EXPECT_GT(*water.phi, 0.8);
    EXPECT_LE(*water.phi, 1);
  }
}

// phi as the mean over what frames carry, weighted by mass.
TEST(WorldSpecies, MeanPhiIsThatOfTheParticles) {
  const auto world = world_of(falling_in(kCouplings[2]));
  take_steps(*world, 40);
  const Frame frame = world->snapshot({"phi", "mass", "species"});
  const auto phi = frame.as_double("phi"), mass = frame.as_double("mass"),
             species = frame.as_double("species");
  double sum[2] = {0, 0}, all[2] = {0, 0};
  for (std::size_t i = 0; i < frame.count; ++i) {
    sum[species[i] > 0] += phi[i] * mass[i];
    all[species[i] > 0] += mass[i];
  }
  const FrameStats stats = world->statistics();
  for (int s = 0; s < 2; ++s) EXPECT_NEAR(*stats.species[s].phi, sum[s] / all[s], 1e-6);
}

TEST(WorldSpecies, StatisticsHaveALineBySpeciesWhereThereAreSeveral) {
  using Json = nlohmann::json;
  const auto world = world_of(falling_in(kCouplings[0]));
  const Json line = Json::parse(stats_line(world->statistics(), 2));
  ASSERT_TRUE(line.contains("species"));
  ASSERT_EQ(line["species"].size(), 2u);
  for (const char* key : {"particles", "mass", "momentum", "kinetic", "phi"})
    EXPECT_TRUE(line["species"]["water"].contains(key)) << key;
  EXPECT_EQ(line["species"]["water"]["momentum"].size(), 2u);
  // A species that is yet to come has no mean.
  const auto empty = world_of(falling_in(
      kCouplings[0],
      {R"(/objects/1={"shape": {"type": "disc", "radius": 0.1}, "material": "sand", "species": "sand"})",
       R"(/emitters=[{"shape": {"type": "disc", "radius": 0.1, "center": [0, 2]}, "start": 1,
           "velocity": [0, -1], "material": "water", "species": "water"}])"}));
  const Json later = Json::parse(stats_line(empty->statistics(), 2));
  EXPECT_EQ(later["species"]["water"]["mass"], 0);
  EXPECT_TRUE(later["species"]["water"]["phi"].is_null());
  // One species: no such key.
  const auto one = world_of(scene_with({}, kFlatScene));
  EXPECT_FALSE(Json::parse(stats_line(one->statistics(), 2)).contains("species"));
}

}  // namespace
}  // namespace firn
