// The time step that explicit viscosity allows: that of the lightest particles which a material has
// or had, whoever is first in memory, and the same after a checkpoint.
#include <gtest/gtest.h>

#include "cases/case_tools.h"
#include "cases/compare_devices.h"

namespace firn {
namespace {

constexpr double kSpacing = 0.05, kViscosity = 500, kLight = 400;
// Of the light one, s: cfl rho h^2 / (2 D eta).
constexpr double kBound = 0.4 * kLight * kSpacing * kSpacing / (4 * kViscosity);

// Two boxes of honey side by side, or one of them.
SceneSettings honey(const std::vector<double>& densities) {
  SceneSettings scene = case_scene(2, kSpacing, 100);
  Fluid::Parameters fluid;
  fluid.bulk_modulus = 1e4;
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

TEST(ViscousStep, IsThatOfTheLightest) {
  EXPECT_NEAR(first_dt(honey({kLight})), kBound, 1e-12);
  EXPECT_NEAR(first_dt(honey({1000, kLight})), kBound, 1e-12);
  EXPECT_NEAR(first_dt(honey({kLight, 1000})), kBound, 1e-12);
  EXPECT_NEAR(first_dt(honey({1000})), kBound * 1000 / kLight, 1e-12);
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
  EXPECT_NEAR(*dt, kBound, 1e-9);
}

}  // namespace
}  // namespace firn
