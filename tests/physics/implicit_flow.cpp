// Emitters, sinks, probes and periodic directions with implicit steps, against exact answers.
#include <cmath>

#include "implicit_kinds.h"
#include "scene/defaults.h"
#include "world_run.h"

namespace firn {
namespace {

constexpr double kSpacing = 0.05, kDensity = 1000;

SceneSettings jet_scene(IntegratorKind kind) {
  SceneSettings scene = case_scene(2, kSpacing, 20);
  scene.integrator.kind = kind;
  add_material(scene, NeoHookean::Parameters());
  EmitterSettings& e = scene.emitters.emplace_back();
  e.shape.kind = ShapeType::box;
  e.shape.size = {{0.1, 0.4, 0.3}};
  e.velocity = {{1, 0, 0}};
  e.density = kDensity;
  fill_defaults(scene);
  return scene;
}

TEST(ImplicitEmitter, FlowIsDensityTimesAreaTimesSpeed) {
  for_each_kind([](IntegratorKind kind) {
    const auto world = started(jet_scene(kind));
    advance(*world, 20);
    const double expected = kDensity * 0.4 * world->time();
    const FrameStats stats = world->statistics();
    EXPECT_NEAR(stats.mass, expected, 0.03 * expected);
    EXPECT_NEAR(stats.momentum[0], stats.mass, 0.01 * stats.mass);
  });
}

// The scene starts empty, and nothing acts on what comes apart.
TEST(ImplicitEmitter, AThinStreamKeepsItsVelocity) {
  for_each_kind([](IntegratorKind kind) {
    for (const ModelParameters& parameters :
         {ModelParameters(Fluid::Parameters{}), ModelParameters(Snow::Parameters{})}) {
      SceneSettings scene = jet_scene(kind);
      scene.materials[0].parameters = parameters;
      scene.emitters[0].rate = 100;
      scene.emitters[0].start = 0.1;
      const auto world = started(scene);
      advance(*world, 2);
      EXPECT_EQ(world->statistics().particles, 0u);
      advance(*world, 10);
      const FrameStats stats = world->statistics();
      EXPECT_NEAR(stats.mass, 100 * (world->time() - 0.1), 3);
      EXPECT_NEAR(stats.momentum[0], stats.mass, 1e-3 * stats.mass);
    }
  });
}

TEST(ImplicitSink, RemovesWhatEntersItAndNothingElse) {
  for_each_kind([](IntegratorKind kind) {
    SceneSettings scene = jet_scene(kind);
    SinkSettings& sink = scene.sinks.emplace_back();
    sink.shape.kind = ShapeType::box;
    sink.shape.size = {{0.4, 2, 1}};
    sink.shape.center = {{0.7, 0, 0}};
    const auto world = started(scene);
    advance(*world, 20);
    const FrameStats stats = world->statistics();
    ASSERT_TRUE(stats.flow.has_value());
    EXPECT_GT(stats.flow->removed, 100u);
    EXPECT_EQ(stats.flow->emitted - stats.flow->removed, stats.particles);
    EXPECT_NEAR(stats.flow->emitted_mass - stats.flow->removed_mass, stats.mass,
                1e-9 * stats.flow->emitted_mass);
    for (const double x : world->snapshot({}).as_double("x")) EXPECT_LT(x, 0.5);
  });
}

std::optional<double> value(const FrameStats& stats, const std::string& probe,
                            const std::string& name) {
  for (const ProbeReading& reading : stats.probes)
    for (const auto& [key, found] : reading.values)
      if (reading.name == probe && key == name) return found;
  ADD_FAILURE() << "no " << probe << "." << name;
  return std::nullopt;
}

// A long block in free flight: rho A v, and its velocity, whatever the length of steps.
TEST(ImplicitProbes, FluxOfAMovingBlock) {
  for_each_kind([](IntegratorKind kind) {
    SceneSettings scene = case_scene(2, kSpacing, 100);
    scene.integrator.kind = kind;
    scene.integrator.implicit_cfl = 2;
    const int rubber = add_material(scene, elastic_material<NeoHookean>(1e5, 0.3));
    add_box(scene, rubber, kDensity, {{-0.6, 0, 0}}, {{0.5, 0.3, 0.2}}).velocity = {{4, 0, 0}};
    ProbeSettings flux;
    flux.name = "flux";
    flux.kind = ProbeKind::flux;
    flux.position = {{0.013, 0.1, 0.1}};
    ProbeSettings point;
    point.name = "point";
    point.kind = ProbeKind::point;
    point.position = {{0.01, 0.15, 0}};
    point.radius = 0.1;
    scene.probes = {flux, point};
    const auto world = started(scene);
    const double rate = kDensity * 0.3 * 4;
    for (int frame = 0; frame < 6; ++frame) {
      const FrameStats stats = world->statistics();
      EXPECT_NEAR(value(stats, "flux", "mass_rate").value_or(NAN), rate, 1e-6 * rate);
      EXPECT_NEAR(value(stats, "point", "vx").value_or(NAN), 4, 1e-6);
      advance(*world, 1);
    }
  });
}

// Water in a tank from rest: pressure rho g h, and its level.
TEST(ImplicitProbes, StillWater) {
  for_each_kind([](IntegratorKind kind) {
    SceneSettings scene = case_scene(2, kSpacing, 50);
    scene.integrator.kind = kind;
    scene.gravity = {{0, -9.81, 0}};
    const int water = add_material(scene, Fluid::Parameters());
    add_box(scene, water, kDensity, {{0, 0, 0}}, {{0.6, 0.6, 0}}).initial_stress =
        InitialStressSettings{InitialStressKind::hydrostatic};
    add_container(scene, {{0, 0, 0}}, {{0.6, 2, 0}}, ContactKind::separate);
    ProbeSettings deep;
    deep.name = "deep";
    deep.kind = ProbeKind::point;
    deep.position = {{0.31, 0.21, 0}};
    deep.radius = 0.1;
    ProbeSettings level;
    level.name = "level";
    level.kind = ProbeKind::height;
    level.position = {{0.33, 0.1, 0}};
    scene.probes = {deep, level};
    const auto world = started(scene);
    advance(*world, 10);
    const FrameStats stats = world->statistics();
    const double pressure = kDensity * 9.81 * 0.39;
    EXPECT_NEAR(value(stats, "deep", "pressure").value_or(NAN), pressure, 0.1 * pressure);
    EXPECT_NEAR(value(stats, "level", "height").value_or(NAN), 0.5, 0.1 * kSpacing);
    EXPECT_NEAR(value(stats, "deep", "vy").value_or(NAN), 0, 0.03);
  });
}

// A spinning body that crosses the seam moves as one that never meets it, in steps of many cells.
TEST(ImplicitPeriodic, CrossingTheSeamChangesNothing) {
  for_each_kind([](IntegratorKind kind) {
    for (const double cfl : {0.6, 3.0}) {
      SceneSettings open = case_scene(2, kSpacing, 25);
      open.integrator.kind = kind;
      open.integrator.implicit_cfl = cfl;
      open.integrator.tolerance = 1e-9;
      open.integrator.preconditioner = PreconditionerKind::blocks;
      const int rubber = add_material(open, elastic_material<NeoHookean>(2e5, 0.3));
      ObjectSettings& body = add_box(open, rubber, kDensity, {{0.1, 0.1, 0}}, {{0.35, 0.3, 0}});
      body.velocity = {{6, -3.5, 0}};
      body.angular_velocity = {{0, 0, 300}};
      SceneSettings closed = open;
      closed.grid.periodic.axes[0] = Interval{0, 0.8};
      closed.grid.periodic.axes[1] = Interval{-0.4, 0.8};
      const auto a = started(open), b = started(closed);
      advance(*a, 8);
      advance(*b, 8);
      const auto x = exact_places(*a, open), y = exact_places(*b, closed);
      ASSERT_EQ(x.size(), y.size());
      const Vec3d period{{0.8, 1.2, 0}};
      double worst = 0, apart = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        for (int k = 0; k < 2; ++k) {
          const double d = x[i][k] - y[i][k];
          worst = std::max(worst, std::abs(d - period[k] * std::round(d / period[k])));
          apart = std::max(apart, std::abs(d));
        }
      EXPECT_LT(worst, 1e-6) << cfl;
      EXPECT_GT(apart, 1);  // it went round
    }
  });
}

}  // namespace
}  // namespace firn
