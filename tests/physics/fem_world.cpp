// What a world of meshed solids tells: energies, loads of colliders, probes, fields of frames.
#include <algorithm>
#include <cmath>

#include "probe_tools.h"
#include "scene_io/scene_reader.h"
#include "sim/world.h"

namespace firn {
namespace {

using Changes = std::vector<std::string>;

constexpr double kWeight = 500 * kGravity;  // N
constexpr double kModulus = 1e6;            // Pa

// A block of 1 x 0.5 x 1 m on a smooth floor.
const char* const kBlock = R"({
  "solver": "fem", "fps": 24, "frames": 30, "grid": {"spacing": 0.1},
  "materials": {"rubber": {"model": "fixed_corotated", "youngs_modulus": 1e6, "poisson_ratio": 0,
                           "damping": {"mass": 20}}},
  "objects": [{"name": "block", "material": "rubber", "density": 1000,
               "shape": {"type": "box", "size": [1, 0.5, 1], "center": [0, 0.25, 0]},
               "mesh": {"type": "lattice", "edge": 0.125}}],
  "colliders": [{"name": "floor", "contact": "slip", "shape": {"type": "plane"}}],
  "probes": [
    {"name": "middle", "type": "point", "position": [0, 0.25, 0], "radius": 0.2,
     "fields": ["density", "velocity", "pressure", "det_F", "stress", "stress_min"]},
    {"name": "nowhere", "type": "point", "position": [0, 3, 0]},
    {"name": "top", "type": "height", "position": [0, 0, 0]},
    {"name": "through", "type": "flux", "point": [0, 0.25, 0], "normal": [0, 1, 0]}]
})";

std::unique_ptr<World> block(const Changes& changes = {},
                             Precision precision = Precision::double_) {
  const Result<SceneSettings> scene = parse_scene(kBlock, "block.json", changes);
  EXPECT_TRUE(scene) << scene.errors().front();
  if (!scene) return nullptr;
  auto world = World::create(*scene, precision);
  EXPECT_TRUE(world) << world.errors().front();
  return world ? std::move(*world) : nullptr;
}

double load_of(const FrameStats& stats, int axis) {
  EXPECT_EQ(stats.colliders.size(), 1u);
  return stats.colliders.empty() ? 0 : stats.colliders[0].force[axis];
}

TEST(FemWorld, ABlockAtRestWeighsOnTheFloor) {
  for (const char* method : {"constraint", "penalty"}) {
    const auto world = block({std::string("/colliders/0/method=") + method});
    ASSERT_TRUE(world && run_frames(*world, 30).empty());
    const FrameStats stats = world->statistics();
    EXPECT_NEAR(load_of(stats, 1), -kWeight, 0.01 * kWeight) << method;
    EXPECT_NEAR(load_of(stats, 0), 0, 0.01 * kWeight) << method;
    EXPECT_LT(stats.max_speed, 0.01) << method;
  }
}

// A linear body at rest has stored half of what gravity gave.
TEST(FemWorld, ElasticEnergyIsThatOfTheSolver) {
  const auto world = block();
  ASSERT_TRUE(world);
  const FrameStats start = world->statistics();
  EXPECT_NEAR(start.elastic, 0, 1e-9);
  ASSERT_TRUE(run_frames(*world, 30).empty());
  const FrameStats stats = world->statistics();
  const double given = start.gravity_potential - stats.gravity_potential;
  EXPECT_NEAR(stats.elastic, 0.5 * given, 0.03 * given);
  // A bar under its own weight: (rho g)^2 A H^3 / 6 E.
  EXPECT_NEAR(stats.elastic, std::pow(1000 * kGravity, 2) * 0.125 / (6 * kModulus),
              0.05 * stats.elastic);
}

// Whose cells are all a point: mu |0 - 1|^2 + lambda / 2 of each cubic metre, before any step.
TEST(FemWorld, ElasticEnergyIsThereFromTheStart) {
  const auto world = block({"/objects/0/start=point", "/materials/rubber/poisson_ratio=0.3"});
  ASSERT_TRUE(world);
  const double mu = kModulus / 2.6, lambda = 0.3 * kModulus / (1.3 * 0.4);
  EXPECT_NEAR(world->statistics().elastic, 0.5 * (3 * mu + 0.5 * lambda), 1);
  const Frame frame = world->snapshot({"det_F", "density", "stress", "pressure"});
  for (const Column& column : frame.columns)
    for (const float value : frame.as_float(column.name)) EXPECT_TRUE(std::isfinite(value));
}

TEST(FemWorld, ProbesReadTheCellsAroundNodes) {
  for (const int order : {1, 2}) {
    const auto world = block({"/objects/0/mesh/order=" + std::to_string(order)});
    ASSERT_TRUE(world && run_frames(*world, 30).empty());
    const FrameStats stats = world->statistics();
    const double stress = -1000 * kGravity * 0.25;
    const auto read = [&](const char* name) { return value(stats, "middle", name).value_or(NAN); };
    EXPECT_NEAR(read("stress_yy"), stress, 0.05 * -stress);
    EXPECT_NEAR(read("stress_min"), stress, 0.05 * -stress);
    EXPECT_NEAR(read("stress_xx"), 0, 0.05 * -stress);
    EXPECT_NEAR(read("pressure"), -stress / 3, 0.05 * -stress);
    EXPECT_NEAR(read("det_F"), 1 + stress / kModulus, 1e-4);
    EXPECT_NEAR(read("density"), 1000 / read("det_F"), 0.01);
    EXPECT_NEAR(read("vy"), 0, 1e-3);
    EXPECT_FALSE(value(stats, "nowhere", "pressure").has_value());
    EXPECT_NEAR(value(stats, "top", "height").value_or(NAN), 0.55, 0.06);
    EXPECT_NEAR(value(stats, "through", "mass_rate").value_or(NAN), 0, 5);
  }
}

TEST(FemWorld, AProbeOfABlockInFlight) {
  const auto world = block({"/gravity=[0,0,0]", "/objects/0/velocity=[0,3,0]",
                            "/materials/rubber/damping={}", "/colliders=[]"});
  ASSERT_TRUE(world);
  EXPECT_NEAR(value(world->statistics(), "middle", "vy").value_or(NAN), 3, 1e-12);
  EXPECT_NEAR(value(world->statistics(), "through", "mass_rate").value_or(NAN), 3000, 1e-6);
}

// det_F of nodes is that of the cells around them, 1 where nothing is shown.
TEST(FemWorld, FramesShowWhatCellsAreLike) {
  for (const Precision precision : {Precision::single, Precision::double_}) {
    const auto world =
        block({"/output/fields=[\"det_F\",\"F\",\"stress\"]", "/probes=[]"}, precision);
    ASSERT_TRUE(world && run_frames(*world, 10).empty());
    const Frame frame = world->snapshot({"det_F", "F", "stress"});
    const std::vector<float> J = frame.as_float("det_F"), F_yy = frame.as_float("F_yy"),
                             stress = frame.as_float("stress_yy");
    ASSERT_EQ(J.size(), 405u);
    const auto [least, largest] = std::minmax_element(J.begin(), J.end());
    EXPECT_GT(*least, 0.99f);
    EXPECT_LT(*largest, 1.001f);
    EXPECT_LT(*least, 0.9995f);
    EXPECT_LT(*std::min_element(F_yy.begin(), F_yy.end()), 0.997f);
    EXPECT_LT(*std::min_element(stress.begin(), stress.end()), -2000);
  }
}

// Fields that nobody asked for when the world was made: it keeps none, and says nothing wrong.
TEST(FemWorld, FieldsAskedLaterAreNone) {
  const auto world = block({"/probes=[]"});
  ASSERT_TRUE(world && run_frames(*world, 1).empty());
  const Frame frame = world->snapshot({"pressure", "stress", "stress_max"});
  for (const char* name : {"pressure", "stress_xy", "stress_max"})
    for (const float value : frame.as_float(name)) EXPECT_EQ(value, 0);
}

}  // namespace
}  // namespace firn
