// The time step that explicit viscosity allows: that of the lightest particles which a material has
// or had, whoever is first in memory, and the same after a checkpoint.
#include <gtest/gtest.h>

#include <cmath>

#include "cases/case_tools.h"
#include "cases/compare_devices.h"
#include "mpm/step_bound.h"

namespace firn {
namespace {

constexpr double kSpacing = 0.05, kViscosity = 500, kLight = 400, kModulus = 1e4;

// Waves and viscosity share a step, s: (dt / dt_waves)^2 + dt / dt_viscous = 1. MLS with the
// quadratic kernel in 2D bears half a cell of a wave, and rho h^2 / (4 eta).
double bound(double of_viscosity, double of_waves) {
  const double cfl = 0.4, share = cfl / (kStepMargin * 0.5);
  const double waves = std::sqrt(kModulus / of_waves) / (cfl * kSpacing);
  const double viscous = 4 * kViscosity * Fluid::Parameters{}.det_max /
                         (share * kStepMargin * kStepMargin * of_viscosity * kSpacing * kSpacing);
  return 2 / (viscous + std::sqrt(viscous * viscous + 4 * waves * waves));
}
const double kBound = bound(kLight, kLight);

// Two boxes of honey side by side, or one of them.
SceneSettings honey(const std::vector<double>& densities) {
  SceneSettings scene = case_scene(2, kSpacing, 100);
  Fluid::Parameters fluid;
  fluid.bulk_modulus = kModulus;
  fluid.viscosity = kViscosity;
  const int material = add_material(scene, fluid);
  for (std::size_t i = 0; i < densities.size(); ++i)
    add_box(scene, material, densities[i], {{0.5 * double(i), 0, 0}},
            {{0.5 * double(i) + 0.3, 0.3, 0}});
  return scene;
}

double first_dt(const SceneSettings& scene) {
  const auto world = World::create(scene, Precision::double_);
  EXPECT_TRUE(world.ok()) << world.errors().front();
  return (*world)->size().first_dt;
}

// APIC keeps the gradient in units of its own, and took these for it: a quarter of the stress.
TEST(ViscousStep, FirstStressIsThatOfTheVelocityGradient) {
  for (const TransferKind transfer : {TransferKind::mls, TransferKind::apic, TransferKind::flip})
    for (const KernelKind kernel : {KernelKind::quadratic, KernelKind::cubic}) {
      SceneSettings scene = honey({1000});
      scene.mpm.transfer = transfer;
      scene.mpm.kernel = kernel;
      scene.objects[0].velocity[0].expression = "3*y";
      const auto world = World::create(scene, Precision::double_);
      ASSERT_TRUE(world.ok()) << world.errors().front();
      for (const double shear : (*world)->snapshot({"stress"}).as_double("stress_xy"))
        EXPECT_NEAR(shear, 3 * kViscosity, 1e-5 * kViscosity);
    }
}

TEST(ViscousStep, IsThatOfTheLightest) {
  // Square roots of wave speeds are estimates.
  EXPECT_NEAR(first_dt(honey({kLight})), kBound, 1e-3 * kBound);
  EXPECT_EQ(first_dt(honey({1000, kLight})), first_dt(honey({kLight})));
  EXPECT_EQ(first_dt(honey({kLight, 1000})), first_dt(honey({kLight})));
  EXPECT_NEAR(first_dt(honey({1000})), bound(1000, 1000), 1e-3 * kBound);
}

// Values are looked at at the start and then every ten steps.
constexpr int kLook = 10;

// dt of so many steps of honey of which a parameter is an expression of the time.
std::vector<double> steps_of(const SceneSettings& scene, int count) {
  const auto world = World::create(scene, Precision::double_);
  EXPECT_TRUE(world.ok()) << world.errors().front();
  std::vector<double> steps;
  for (int i = 0; i < count; ++i) {
    const Result<double> dt = (*world)->advance_step();
    steps.push_back(dt ? *dt : 0);
  }
  return steps;
}
SceneSettings growing(const char* parameter, const char* expression) {
  SceneSettings scene = honey({kLight});
  scene.fps = 1;  // whose last steps are far away
  scene.materials[0].expressions = {{parameter, expression}};
  return scene;
}

TEST(ViscousStep, FollowsParametersThatGrow) {
  const SceneSettings scenes[] = {growing("viscosity", "500*(1 + 300*t)"),
                                  growing("det_max", "1.1*(1 + 300*t)")};
  for (const SceneSettings& scene : scenes) {
    const std::vector<double> steps = steps_of(scene, 4 * kLook);
    double time = 0, found = 0;  // s, at the beginning of a step and of the one that looked
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const double expected = bound(kLight / (1 + 300 * found), kLight);
      EXPECT_NEAR(steps[i], expected, 1e-3 * expected) << i;
      if ((i + 1) % kLook == 0) found = time;
      time += steps[i];
    }
    EXPECT_LT(steps.back(), 0.5 * steps.front());
  }
}

TEST(ViscousStep, OfAPasteIsThatOfItsMostViscousParticle) {
  SceneSettings varied = honey({kLight});
  varied.materials[0].parameters = Viscoelastic::Parameters{};
  SceneSettings number = varied;
  varied.materials[0].expressions = {{"viscosity", "x > 0.1 ? 500 : 1"}};
  number.materials[0].expressions = {{"viscosity", "500"}};
  EXPECT_EQ(first_dt(varied), first_dt(number));
  number.materials[0].expressions = {{"viscosity", "1"}};
  EXPECT_LT(first_dt(varied), 0.8 * first_dt(number));
}

TEST(ViscousStep, OfParametersThatGrowIsTheSameAfterACheckpoint) {
  const SceneSettings scene = growing("viscosity", "500*(1 + 300*t)");
  auto world = World::create(scene, Precision::single);
  ASSERT_TRUE(world.ok()) << world.errors().front();
  for (int i = 0; i < kLook + 3; ++i) ASSERT_TRUE((*world)->advance_step().ok());
  auto restored = World::restore(scene, Precision::single, (*world)->save());
  ASSERT_TRUE(restored.ok()) << restored.errors().front();
  for (int i = 0; i < kLook; ++i) {
    const Result<double> dt = (*world)->advance_step(), again = (*restored)->advance_step();
    ASSERT_TRUE(dt.ok() && again.ok());
    EXPECT_EQ(*dt, *again) << i;
  }
}

// Also where the lightest have left.
TEST(ViscousStep, IsTheSameAfterACheckpoint) {
  SceneSettings scene = honey({kLight, 1000});
  SinkSettings sink;
  sink.name = "drain";
  static_cast<ShapeSettings&>(sink.shape).kind = ShapeType::box;
  sink.shape.center = {{0.15, 0.15, 0}};
  sink.shape.size = {{0.6, 0.6, 1}};
  scene.sinks.push_back(sink);
  auto world = World::create(scene, Precision::single);
  ASSERT_TRUE(world.ok()) << world.errors().front();
  const std::atomic<bool> stop{false};
  ASSERT_TRUE((*world)->advance_frame(stop).ok());
  EXPECT_GT((*world)->statistics().flow->removed, 0u);
  auto restored = World::restore(scene, Precision::single, (*world)->save());
  ASSERT_TRUE(restored.ok()) << restored.errors().front();
  const Result<double> dt = (*world)->advance_step(), again = (*restored)->advance_step();
  ASSERT_TRUE(dt.ok() && again.ok());
  EXPECT_EQ(*dt, *again);
  EXPECT_NEAR(*dt, bound(kLight, 1000), 0.01 * kBound);
}

}  // namespace
}  // namespace firn
