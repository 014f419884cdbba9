// What frames tell of stress: principal stresses, and where sand and metal are on their yield
// surface.
#include <gtest/gtest.h>

#include <cmath>

#include "cases/case_tools.h"

namespace firn {
namespace {

template <class Model>
SceneSettings fallen(int dimension, double speed) {
  SceneSettings scene = case_scene(dimension, 0.05, 50);
  scene.gravity = {{0, -9.81, 0}};
  const int material = add_material(scene, typename Model::Parameters{});
  add_box(scene, material, 1800, {{0, 0, 0}}, {{0.6, 0.3, 0.3}}).velocity = {{0, -speed, 0}};
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate, 0.4);
  return scene;
}

TEST(YieldFields, PrincipalStressesAreTheEigenvaluesInOrder) {
  for (const int dimension : {2, 3}) {
    const auto world = run_scene(fallen<Sand>(dimension, 1), Precision::double_, 3);
    ASSERT_TRUE(world);
    const PointTable frame =
        (*world)->snapshot({"stress", "stress_max", "stress_mid", "stress_min", "pressure"});
    EXPECT_EQ(frame.has("stress_mid"), dimension == 3);
    const auto high = frame.as_double("stress_max"), low = frame.as_double("stress_min"),
               mid = frame.as_double("stress_mid"), xx = frame.as_double("stress_xx"),
               yy = frame.as_double("stress_yy"), xy = frame.as_double("stress_xy"),
               pressure = frame.as_double("pressure");
    double largest = 0;
    for (std::size_t i = 0; i < high.size(); ++i) {
      const double size = std::abs(low[i]) + std::abs(high[i]) + 1;
      largest = std::max(largest, size);
      EXPECT_LE(low[i], high[i]);
      const double sum = high[i] + low[i] + (dimension == 3 ? mid[i] : 0);
      EXPECT_NEAR(sum, -dimension * pressure[i], 1e-4 * size);
      // The stresses on any plane lie between them.
      for (const double s : {xx[i], yy[i]}) {
        EXPECT_LE(s, high[i] + 1e-4 * size);
        EXPECT_GE(s, low[i] - 1e-4 * size);
      }
      if (dimension == 2) {
        EXPECT_NEAR(std::pow((high[i] - low[i]) / 2, 2),
                    std::pow((xx[i] - yy[i]) / 2, 2) + xy[i] * xy[i], 1e-4 * size * size);
      } else {
        EXPECT_LE(low[i], mid[i]);
        EXPECT_LE(mid[i], high[i]);
      }
    }
    EXPECT_GT(largest, 100);
  }
}

// Sand that comes apart is at the tip, sand that flows on the cone; before it moves all is elastic.
TEST(YieldFields, CasesOfSandFollowItsState) {
  SceneSettings scene = fallen<Sand>(2, 2);
  int seen[3] = {0, 0, 0};
  const auto count = [&](const World& world) {
    const PointTable frame = world.snapshot({"yield_case", "volume_correction", "hardening"});
    const auto cases = frame.as_double("yield_case"), apart = frame.as_double("volume_correction"),
               q = frame.as_double("hardening");
    for (std::size_t i = 0; i < cases.size(); ++i) {
      ASSERT_TRUE(cases[i] == 0 || cases[i] == 1 || cases[i] == 2);
      if (world.total_steps() == 0 || q[i] < 1e-7) {
        ASSERT_EQ(cases[i], 0);
      }
      if (apart[i] > 1e-5) {
        ASSERT_EQ(cases[i], 2);
      }
      ++seen[static_cast<int>(cases[i])];
    }
  };
  for (const Precision precision : {Precision::double_, Precision::single}) {
    ASSERT_TRUE(run_scene(scene, precision, 10, count));
    for (const int n : seen) EXPECT_GT(n, 50);
  }
}

TEST(YieldFields, MetalYieldsWhereItIsSquashedAndElasticModelsNever) {
  const auto metal = run_scene(fallen<VonMises>(2, 4), Precision::single, 2);
  ASSERT_TRUE(metal);
  const PointTable frame = (*metal)->snapshot({"yield_case", "plastic_strain"});
  const auto cases = frame.as_double("yield_case"), q = frame.as_double("plastic_strain");
  int yielding = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    yielding += cases[i] == 1;
    if (cases[i] == 1) {
      EXPECT_GT(q[i], 0);
    }
  }
  EXPECT_GT(yielding, 20);
  const auto jelly = run_scene(fallen<NeoHookean>(2, 4), Precision::single, 1);
  ASSERT_TRUE(jelly);
  for (const double c : (*jelly)->snapshot({"yield_case"}).as_double("yield_case")) EXPECT_EQ(c, 0);
}

}  // namespace
}  // namespace firn
