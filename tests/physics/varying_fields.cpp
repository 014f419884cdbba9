// Gravity and initial values given by expressions.
#include <gtest/gtest.h>

#include <cmath>

#include "cases/case_tools.h"

namespace firn {
namespace {

constexpr double kStep = 1e-3;

// A box of rubber around a point, in free flight.
SceneSettings flying_box(const Vec3d& center) {
  SceneSettings scene = case_scene(2, 0.05, 50);
  scene.integrator.fixed_dt = kStep;
  const Vec3d half{{0.1, 0.1, 0}};
  const int rubber = add_material(scene, elastic_material<NeoHookean>(1e5, 0.3));
  add_box(scene, rubber, 1000, center - half, center + half);
  return scene;
}

Vec3d mean_velocity(const World& world) {
  const FrameStats stats = world.statistics();
  return stats.momentum / stats.mass;
}

// g = -k x pulls on all parts of a body as on its centre, which thus is a harmonic oscillator, in
// steps of v -= k x dt, x += v dt: the grid reproduces linear fields exactly.
TEST(VaryingGravity, SpringLikeFieldGivesItsPeriod) {
  const double k = 40, start = 0.3;
  for (const TransferKind transfer : {TransferKind::mls, TransferKind::flip}) {
    SceneSettings scene = flying_box({{start, 0, 0}});
    scene.mpm.transfer = transfer;
    scene.gravity = {{NumberOrExpression(0, "-40*x"), NumberOrExpression(0, "-40*y"), 0}};
    auto world = World::create(scene, Precision::double_);
    ASSERT_TRUE(world);
    double x = start, v = 0, worst = 0;
    const double period = 2 * kPi / std::sqrt(k);
    double crossing = 0;  // time at which the body first comes through the middle
    for (int step = 1; step * kStep < 1.2 * period; ++step) {
      const double before = x;
      v -= k * x * kStep;
      x += v * kStep;
      ASSERT_TRUE((*world)->advance_step());
      worst = std::max(worst, std::abs(mean_velocity(**world)[0] - v));
      if (before > 0 && x <= 0 && crossing == 0)
        crossing = (step - 1 + before / (before - x)) * kStep;
    }
    EXPECT_LT(worst, 1e-11);
    EXPECT_NEAR(crossing, period / 4, 1e-3 * period);
    EXPECT_FALSE((*world)->statistics().has_gravity_potential);
  }
}

TEST(VaryingGravity, TurningGravityIsTakenInTheMiddleOfTheStep) {
  SceneSettings scene = flying_box({{0, 0, 0}});
  scene.gravity = {
      {NumberOrExpression(0, "9.81*cos(20*t)"), NumberOrExpression(0, "9.81*sin(20*t)"), 0}};
  auto world = World::create(scene, Precision::double_);
  ASSERT_TRUE(world);
  Vec3d v{{0, 0, 0}};
  for (int step = 0; step < 100; ++step) {
    const double t = (step + 0.5) * kStep;
    v += kStep * 9.81 * Vec3d{{std::cos(20 * t), std::sin(20 * t), 0}};
    ASSERT_TRUE((*world)->advance_step());
  }
  const Vec3d found = mean_velocity(**world);
  EXPECT_NEAR(found[0], v[0], 1e-11);
  EXPECT_NEAR(found[1], v[1], 1e-11);
  EXPECT_NEAR(found[0], 9.81 / 20 * std::sin(2.0), 1e-4);
  EXPECT_NEAR(found[1], 9.81 / 20 * (1 - std::cos(2.0)), 1e-4);
}

TEST(VaryingGravity, ConstantExpressionsGiveTheSameBytes) {
  SceneSettings numbers = flying_box({{0, 0, 0}}), words = numbers;
  numbers.gravity = {{1.5, -9.81, 0}};
  words.gravity = {{NumberOrExpression(0, "3/2"), NumberOrExpression(0, "-9.81"), 0}};
  auto a = World::create(numbers, Precision::single), b = World::create(words, Precision::single);
  ASSERT_TRUE(a && b);
  for (int step = 0; step < 40; ++step) ASSERT_TRUE((*a)->advance_step() && (*b)->advance_step());
  EXPECT_TRUE((*a)->save().arrays == (*b)->save().arrays);
  EXPECT_TRUE((*b)->statistics().has_gravity_potential);
  EXPECT_EQ((*a)->statistics().gravity_potential, (*b)->statistics().gravity_potential);
}

TEST(VaryingGravity, ValuesThatAreNotFiniteStopTheRun) {
  SceneSettings scene = flying_box({{0, 0, 0}});
  scene.gravity = {{0, NumberOrExpression(0, "log(0.0102 - t)"), 0}};
  const auto in_time = run_scene(scene, Precision::single, 3);
  ASSERT_FALSE(in_time);
  EXPECT_EQ(in_time.errors(), Errors{"/gravity is not finite at t = 0.0105 s"});
  scene.gravity = {{0, NumberOrExpression(0, "sqrt(x + 0.01)"), 0}};
  const auto in_space = run_scene(scene, Precision::single, 3);
  ASSERT_FALSE(in_space);
  EXPECT_EQ(in_space.errors()[0].rfind("/gravity is not finite at t = 0.0005 s and (-0.", 0), 0u)
      << in_space.errors()[0];
}

// What a scene calls a scalar stays with its particle through sorting and a restart.
TEST(SceneScalars, AreCarriedAlong) {
  SceneSettings scene = flying_box({{0, 0, 0}});
  scene.scalars = {"temperature", "salt"};
  scene.objects[0].velocity = {
      {NumberOrExpression(0, "3 - 20*y"), NumberOrExpression(0, "20*x"), 0}};
  scene.objects[0].fields = {{"temperature", NumberOrExpression(0, "280 + 7*x - y")}};
  auto world = World::create(scene, Precision::single);
  ASSERT_TRUE(world);
  const PointTable start = (*world)->snapshot({"temperature", "salt", "id"});
  for (int step = 0; step < 100; ++step) ASSERT_TRUE((*world)->advance_step());
  auto restored = World::restore(scene, Precision::single, (*world)->save());
  ASSERT_TRUE(restored);
  for (int step = 0; step < 100; ++step) ASSERT_TRUE((*restored)->advance_step());
  const PointTable end = (*restored)->snapshot({"temperature", "salt", "id"});
  EXPECT_EQ(start.as_float("temperature"), end.as_float("temperature"));
  const auto x = start.as_float("x"), y = start.as_float("y"), t = end.as_float("temperature");
  for (std::size_t i = 0; i < t.size(); ++i) {
    EXPECT_NEAR(t[i], 280 + 7 * x[i] - y[i], 1e-3);
    EXPECT_EQ(end.as_float("salt")[i], 0);
  }
  EXPECT_GT(end.as_float("x")[0], x[0] + 0.1);  // cells were crossed
}

}  // namespace
}  // namespace firn
