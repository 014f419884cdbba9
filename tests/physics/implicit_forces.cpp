// What acts on matter in implicit steps: fields of gravity, loads on obstacles, pins, parameters
// that are expressions. Against exact answers, or momentum as it must be.
#include <cmath>

#include "implicit_kinds.h"
#include "world_run.h"

namespace firn {
namespace {

constexpr double kSpacing = 0.05, kStep = 5e-3, kGravity = 9.81, kDensity = 1000;

SceneSettings implicit_scene(IntegratorKind kind) {
  SceneSettings scene = case_scene(2, kSpacing, 50);
  scene.integrator.kind = kind;
  scene.integrator.tolerance = 1e-9;
  return scene;
}

// A box of rubber around a point, in free flight.
SceneSettings flying_box(IntegratorKind kind, const Vec3d& center) {
  SceneSettings scene = implicit_scene(kind);
  scene.integrator.fixed_dt = kStep;
  const Vec3d half{{0.1, 0.1, 0}};
  const int rubber = add_material(scene, elastic_material<NeoHookean>(1e5, 0.3));
  add_box(scene, rubber, kDensity, center - half, center + half);
  return scene;
}

Vec3d mean_velocity(const World& world) {
  const FrameStats stats = world.statistics();
  return stats.momentum / stats.mass;
}

// g = -k x pulls on all parts of a body as on its centre, in steps of v -= k x dt, x += v dt.
TEST(ImplicitGravity, SpringLikeFieldMovesTheCentreAsAPoint) {
  for_each_kind([](IntegratorKind kind) {
    SceneSettings scene = flying_box(kind, {{0.3, 0, 0}});
    scene.gravity = {{NumberOrExpression(0, "-40*x"), NumberOrExpression(0, "-40*y"), 0}};
    const auto world = started(scene);
    double x = 0.3, v = 0, worst = 0, fastest = 0;
    for (int step = 0; step < 60; ++step) {
      v -= 40 * x * kStep;
      x += v * kStep;
      ASSERT_TRUE(world->advance_step());
      worst = std::max(worst, std::abs(mean_velocity(*world)[0] - v));
      fastest = std::max(fastest, std::abs(v));
    }
    EXPECT_GT(fastest, 1.5);
    EXPECT_LT(worst, 1e-7);
  });
}

TEST(ImplicitGravity, TurningGravityIsTakenInTheMiddleOfTheStep) {
  for_each_kind([](IntegratorKind kind) {
    SceneSettings scene = flying_box(kind, {{0, 0, 0}});
    scene.gravity = {
        {NumberOrExpression(0, "9.81*cos(20*t)"), NumberOrExpression(0, "9.81*sin(20*t)"), 0}};
    const auto world = started(scene);
    Vec3d v{{0, 0, 0}};
    for (int step = 0; step < 20; ++step) {
      const double t = (step + 0.5) * kStep;
      v += kStep * 9.81 * Vec3d{{std::cos(20 * t), std::sin(20 * t), 0}};
      ASSERT_TRUE(world->advance_step());
    }
    EXPECT_NEAR(mean_velocity(*world)[0], v[0], 1e-7);
    EXPECT_NEAR(mean_velocity(*world)[1], v[1], 1e-7);
  });
}

TEST(ImplicitGravity, ValuesThatAreNotFiniteStopTheRun) {
  for_each_kind([](IntegratorKind kind) {
    SceneSettings scene = flying_box(kind, {{0, 0, 0}});
    scene.gravity = {{0, NumberOrExpression(0, "sqrt(x + 0.01)"), 0}};
    const auto run = run_scene(scene, Precision::single, 1);
    ASSERT_FALSE(run);
    EXPECT_EQ(run.errors()[0].rfind("/gravity is not finite at t = 0.0025 s and (-0.", 0), 0u)
        << run.errors()[0];
  });
}

// All that changes momentum is weight and what obstacles take, frame by frame.
void expect_balance(const SceneSettings& scene, int frames, double bound) {
  const auto world = started(scene);
  const double weight = world->statistics().mass * kGravity;
  Vec3d before = world->statistics().momentum;
  double largest = 0;
  for (int frame = 0; frame < frames; ++frame) {
    advance(*world, 1);
    const FrameStats stats = world->statistics();
    Vec3d force = (stats.momentum - before) * scene.fps;
    force[1] += weight;
    for (const ColliderLoad& load : stats.colliders) {
      force += load.force;
      largest = std::max(largest, std::sqrt(dot(load.force, load.force)));
    }
    EXPECT_NEAR(force[0], 0, bound * weight) << "frame " << frame;
    EXPECT_NEAR(force[1], 0, bound * weight) << "frame " << frame;
    before = stats.momentum;
  }
  EXPECT_GT(largest, 0.5 * weight);
}

// A block falls on a floor and beside it on a ball, sliding.
SceneSettings landing(IntegratorKind kind, double friction, ContactKind contact) {
  SceneSettings scene = implicit_scene(kind);
  scene.integrator.tolerance = 1e-5;
  scene.gravity = {{0, -kGravity, 0}};
  const int rubber = add_material(scene, elastic_material<NeoHookean>(1e5, 0.3));
  add_box(scene, rubber, kDensity, {{0, 0.01, 0}}, {{0.4, 0.3, 0}}).velocity = {{1, -1, 0}};
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, contact, friction);
  ColliderSettings& ball = scene.colliders.emplace_back();
  ball.shape.kind = ShapeType::ball;
  ball.shape.center = {{0.6, 0.1, 0}};
  ball.shape.radius = 0.15;
  ball.friction.value = friction;
  return scene;
}

TEST(ImplicitLoads, ObstaclesTakeWhatMomentumLoses) {
  for_each_kind([](IntegratorKind kind) {
    for (const double friction : {0.0, 0.4}) {
      SCOPED_TRACE(friction);
      expect_balance(landing(kind, friction, ContactKind::separate), 6, 1e-3);
    }
    expect_balance(landing(kind, 0, ContactKind::sticky), 6, 1e-3);
  });
}

TEST(ImplicitLoads, AtRestTheFloorCarriesTheWeight) {
  for_each_kind([](IntegratorKind kind) {
    SceneSettings scene = implicit_scene(kind);
    scene.gravity = {{0, -kGravity, 0}};
    const int rubber = add_material(scene, elastic_material<NeoHookean>(1e6, 0.3));
    add_box(scene, rubber, kDensity, {{0, 0, 0}}, {{0.4, 0.2, 0}});
    add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate, 0.5);
    const auto world = started(scene);
    advance(*world, 20);
    const FrameStats stats = world->statistics();
    const double weight = stats.mass * kGravity;
    EXPECT_NEAR(stats.colliders[0].force[1], -weight, 1e-3 * weight);
    EXPECT_NEAR(stats.colliders[0].force[0], 0, 1e-3 * weight);
    // About the floor's point, the weight acts in the middle of the block.
    EXPECT_NEAR(stats.colliders[0].torque[2], -weight * 0.2, 0.01 * weight * 0.2);
  });
}

// A bar hangs from a pin: it holds what is inside, carries the weight, and the bar is longer by
// rho g L^2 / 2 E', E' the modulus of plane strain without contraction.
TEST(ImplicitPins, HoldAHangingBar) {
  const double length = 1, modulus = 1e6;
  for_each_kind([&](IntegratorKind kind) {
    SceneSettings scene = implicit_scene(kind);
    scene.integrator.tolerance = 1e-5;
    scene.gravity = {{0, -kGravity, 0}};
    const int rubber = add_material(scene, elastic_material<NeoHookean>(modulus, 0));
    add_box(scene, rubber, kDensity, {{0, -length, 0}}, {{0.2, 0.2, 0}});
    ColliderSettings& clamp = scene.colliders.emplace_back();
    clamp.shape.kind = ShapeType::box;
    clamp.shape.size = {{1, 0.4, 1}};
    clamp.shape.center = {{0.1, 0.2, 0}};
    clamp.contact = ContactKind::pin;
    const auto world = started(scene);
    const auto before = world->snapshot({}).as_double("y");
    advance(*world, 60);
    const auto after = world->snapshot({}).as_double("y");
    double lowest = 0, moved_inside = 0;
    for (std::size_t i = 0; i < after.size(); ++i) {
      lowest = std::min(lowest, after[i] - before[i]);
      if (before[i] > kSpacing)
        moved_inside = std::max(moved_inside, std::abs(after[i] - before[i]));
    }
    const double stretch = kDensity * kGravity * length * length / (2 * modulus);
    EXPECT_NEAR(-lowest, stretch, 0.1 * stretch);
    EXPECT_LT(moved_inside, 1e-9);
    const FrameStats stats = world->statistics();
    const double hanging = stats.mass * kGravity;
    EXPECT_NEAR(stats.colliders[0].force[1], -hanging, 0.01 * hanging);
  });
}

// A soft and a stiff column of one material whose modulus is an expression, against two materials.
SceneSettings two_columns(IntegratorKind kind, bool by_expression) {
  SceneSettings scene = implicit_scene(kind);
  scene.gravity = {{0, -kGravity, 0}};
  scene.scalars = {"c0"};
  const double soft = 2e4, stiff = 1e6;
  const int first = add_material(scene, elastic_material<NeoHookean>(soft, 0.3));
  const int second =
      by_expression ? first : add_material(scene, elastic_material<NeoHookean>(stiff, 0.3));
  if (by_expression) scene.materials[0].expressions = {{"youngs_modulus", "c0"}};
  add_box(scene, first, kDensity, {{0, 0, 0}}, {{0.2, 0.4, 0}}).fields = {
      {"c0", NumberOrExpression(soft, "")}};
  add_box(scene, second, kDensity, {{0.6, 0, 0}}, {{0.8, 0.4, 0}}).fields = {
      {"c0", NumberOrExpression(stiff, "")}};
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::sticky);
  return scene;
}

TEST(ImplicitParameters, ExpressionsActAsMaterialsOfTheirOwn) {
  for_each_kind([](IntegratorKind kind) {
    const SceneSettings scene = two_columns(kind, true), plain = two_columns(kind, false);
    const auto varied = started(scene), apart = started(plain);
    advance(*varied, 5);
    advance(*apart, 5);
    const auto a = exact_places(*varied, scene), b = exact_places(*apart, plain);
    ASSERT_EQ(a.size(), b.size());
    double worst = 0, soft = 0, stiff = 0;  // the tops of the columns, m
    for (std::size_t i = 0; i < a.size(); ++i) {
      worst = std::max(worst, std::abs(a[i][1] - b[i][1]));
      double& top = i < a.size() / 2 ? soft : stiff;
      top = std::max(top, a[i][1] - a[0][1]);
    }
    EXPECT_LT(worst, 1e-7);
    EXPECT_LT(soft, stiff - 0.01);  // it matters
  });
}

// Water falls apart between walls that rub: many nodes begin to slide at once, in all directions.
TEST(ImplicitFriction, RubbingWallsOfATankLeaveStepsLong) {
  SceneSettings scene = case_scene(3, 2 * kSpacing, 24);
  scene.integrator.kind = IntegratorKind::optimization;
  scene.gravity = {{0, -kGravity, 0}};
  const int water = add_material(scene, Fluid::Parameters());
  add_box(scene, water, kDensity, {{0, 0, 0}}, {{0.4, 0.4, 0.4}});
  add_container(scene, {{0, 0, 0}}, {{0.6, 2, 0.4}}, ContactKind::separate, 0.1);
  const auto world = started(scene);
  for (int frame = 0; frame < 3; ++frame) {
    advance(*world, 1);
    const FrameStats stats = world->statistics();
    EXPECT_LE(stats.steps, 6);
    ASSERT_TRUE(stats.solves);
    EXPECT_EQ(stats.solves->missed_steps, 0);
    EXPECT_LE(stats.solves->newton_iterations, 150);
  }
}

// Water that is just pressed or just not: Newton's method alone goes back and forth.
TEST(ImplicitNewton, WhatStallsIsMinimized) {
  SceneSettings scene = implicit_scene(IntegratorKind::newton);
  scene.gravity = {{-1, -kGravity, 0}};
  scene.integrator.fixed_dt = 1e-3;
  Fluid::Parameters water;
  water.bulk_modulus = 2e4;
  add_box(scene, add_material(scene, water), kDensity, {{0.013, 0.021, 0}}, {{0.8, 0.6, 0}})
      .velocity = {{-0.4, -1, 0}};
  add_plane(scene, {{0, 0, 0}}, {{0.1, 1, 0}}, ContactKind::slip);
  add_plane(scene, {{0, 0, 0}}, {{1, 0, 0}}, ContactKind::slip);
  const auto world = started(scene);
  advance(*world, 1);
  const FrameStats stats = world->statistics();
  ASSERT_TRUE(stats.solves);
  EXPECT_EQ(stats.solves->missed_steps, 0);
  EXPECT_LE(stats.steps, 21);
}

}  // namespace
}  // namespace firn
