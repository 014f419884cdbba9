// Emitters, sinks, probes and periodic directions with implicit steps, against exact answers.
#include <cmath>

#include "implicit_kinds.h"
#include "jet_scene.h"
#include "probe_tools.h"
#include "world_run.h"

namespace firn {
namespace {

constexpr double kSpacing = 0.05, kDensity = 1000;

SceneSettings jet_of(IntegratorKind kind) {
  SceneSettings scene = jet_scene(2);
  scene.integrator.kind = kind;
  scene.emitters[0].density = kDensity;
  return scene;
}

TEST(ImplicitEmitter, FlowIsDensityTimesAreaTimesSpeed) {
  for_each_kind([](IntegratorKind kind) {
    const auto world = started(jet_of(kind));
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
      SceneSettings scene = jet_of(kind);
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
    SceneSettings scene = jet_of(kind);
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

// A long block in free flight: rho A v, and its velocity, whatever the length of steps.
TEST(ImplicitProbes, FluxOfAMovingBlock) {
  for_each_kind([](IntegratorKind kind) {
    SceneSettings scene = case_scene(2, kSpacing, 100);
    scene.integrator.kind = kind;
    scene.integrator.implicit_cfl = 2;
    const int rubber = add_material(scene, elastic_material<NeoHookean>(1e5, 0.3));
    add_box(scene, rubber, kDensity, {{-0.6, 0, 0}}, {{0.5, 0.3, 0.2}}).velocity = {{4, 0, 0}};
    scene.probes = {probe("flux", ProbeKind::flux, {{0.013, 0.1, 0.1}}),
                    probe("point", ProbeKind::point, {{0.01, 0.15, 0}}, 0.1)};
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
    SceneSettings scene = tank(2, kSpacing, kDensity, 50);
    scene.integrator.kind = kind;
    scene.probes = {probe("deep", ProbeKind::point, {{0.31, 0.21, 0}}, 0.1),
                    probe("level", ProbeKind::height, {{0.33, 0.1, 0}})};
    const auto world = started(scene);
    advance(*world, 10);
    const FrameStats stats = world->statistics();
    const double pressure = kDensity * kGravity * 0.39;
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
