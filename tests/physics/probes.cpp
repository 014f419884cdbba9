// Probes against known answers.
#include <gtest/gtest.h>

#include <cmath>

#include "exec/parallel.h"
#include "probe_tools.h"

namespace firn {
namespace {

constexpr double kSpacing = 0.05, kDensity = 1000, kFps = 100;

TEST(Probes, StillWater) {
  for (const int dimension : {2, 3}) {
    SceneSettings scene = tank(dimension, kSpacing, kDensity, kFps);
    scene.probes = {probe("deep", ProbeKind::point, {{0.31, 0.21, 0.17}}, 0.1),
                    probe("narrow", ProbeKind::point, {{0.3, 0.3, 0.2}}),
                    probe("above", ProbeKind::point, {{0.3, 0.8, 0.2}}),
                    probe("level", ProbeKind::height, {{0.33, 0.1, 0.2}}),
                    probe("aside", ProbeKind::height, {{1.3, 0, 0.2}})};
    auto world = World::create(scene, Precision::single);
    ASSERT_TRUE(world) << world.errors().front();
    for (int frame = 0; frame < 5; ++frame) {
      const FrameStats stats = (*world)->statistics();
      // Walls, where kernels reach out of the water, make it ring a little in this coarse grid.
      const double bound = frame == 0 ? 0.01 : 0.15;
      EXPECT_NEAR(value(stats, "deep", "pressure").value_or(NAN), kDensity * kGravity * 0.39,
                  3826 * bound);
      EXPECT_NEAR(value(stats, "narrow", "pressure").value_or(NAN), kDensity * kGravity * 0.3,
                  2943 * bound);
      EXPECT_NEAR(value(stats, "deep", "density").value_or(NAN), kDensity, kDensity * bound);
      EXPECT_NEAR(value(stats, "deep", "vy").value_or(NAN), 0, 0.02);
      EXPECT_NEAR(value(stats, "level", "height").value_or(NAN), 0.5, 0.1 * kSpacing);
      EXPECT_FALSE(value(stats, "above", "pressure").has_value());
      EXPECT_FALSE(value(stats, "aside", "height").has_value());
      ASSERT_TRUE(run_frames(**world, 1).empty());
    }
  }
}

// A long block in free flight: rho A v, whichever way the plane looks.
TEST(Probes, FluxOfAMovingBlock) {
  for (const int dimension : {2, 3}) {
    SceneSettings scene = case_scene(dimension, kSpacing, kFps);
    const int rubber = add_material(scene, elastic_material<NeoHookean>(1e5, 0.3));
    add_box(scene, rubber, kDensity, {{-0.5, 0, 0}}, {{0.5, 0.3, 0.2}}).velocity = {{2, 0, 0}};
    const double area = dimension == 2 ? 0.3 : 0.3 * 0.2;
    ProbeSettings along = probe("along", ProbeKind::flux, {{0.013, 0.1, 0.1}});
    ProbeSettings against = probe("against", ProbeKind::flux, {{0.013, 0.1, 0.1}});
    against.normal = {{-3, 0, 0}};
    ProbeSettings across = probe("across", ProbeKind::flux, {{0.013, 0.15, 0.1}});
    across.normal = {{0, 1, 0}};
    ProbeSettings ahead = probe("ahead", ProbeKind::flux, {{3, 0, 0}});
    ProbeSettings part = probe("part", ProbeKind::flux, {{0.013, 0.15, 0.1}}, 0.1);
    scene.probes = {along, against, across, ahead, part};
    auto world = World::create(scene, Precision::double_);
    ASSERT_TRUE(world);
    for (int frame = 0; frame < 5; ++frame) {
      const FrameStats stats = (*world)->statistics();
      const double rate = kDensity * area * 2;
      EXPECT_NEAR(value(stats, "along", "mass_rate").value_or(NAN), rate, 1e-6 * rate);
      EXPECT_NEAR(value(stats, "along", "volume_rate").value_or(NAN), area * 2, 1e-6 * rate);
      EXPECT_NEAR(value(stats, "against", "mass_rate").value_or(NAN), -rate, 1e-6 * rate);
      EXPECT_NEAR(value(stats, "across", "mass_rate").value_or(NAN), 0, 1e-6 * rate);
      EXPECT_EQ(value(stats, "ahead", "mass_rate").value_or(NAN), 0);
      const double part_area = dimension == 2 ? 0.2 : kPi * 0.01;
      EXPECT_NEAR(value(stats, "part", "mass_rate").value_or(NAN), kDensity * part_area * 2,
                  0.05 * rate);
      ASSERT_TRUE(run_frames(**world, 1).empty());
    }
  }
}

// Around the seam of a periodic direction, and whatever the number of threads.
TEST(Probes, PeriodicAndTheSameForAnyThreads) {
  std::vector<std::optional<double>> first;
  for (const int threads : {1, 2, 5}) {
    set_thread_count(threads);
    SceneSettings scene = tank(2, kSpacing, kDensity, kFps);
    scene.colliders.clear();
    scene.objects[0].initial_stress.reset();
    scene.gravity = {{0, 0, 0}};
    scene.objects[0].shape.size[0] = 0.8;
    scene.objects[0].shape.center[0] = 0.4;
    scene.objects[0].velocity = {{NumberOrExpression(0, "1 + 0.2*sin(2*pi*x/0.8)"), 0, 0}};
    scene.grid.periodic.axes[0] = Interval{0, 0.8};
    scene.scalars = {"tag"};
    scene.objects[0].fields = {{"tag", NumberOrExpression(0, "cos(2*pi*x/0.8)")}};
    ProbeSettings seam = probe("seam", ProbeKind::point, {{0, 0.3, 0}}, 0.12);
    seam.fields = {"velocity", "tag", "J"};
    scene.probes = {seam, probe("flux", ProbeKind::flux, {{0, 0.3, 0}}),
                    probe("height", ProbeKind::height, {{0.001, 0, 0}}, 0.1)};
    auto world = World::create(scene, Precision::double_);
    ASSERT_TRUE(world) << world.errors().front();
    const FrameStats start = (*world)->statistics();
    EXPECT_NEAR(value(start, "seam", "vx").value_or(NAN), 1, 1e-6);  // odd about the seam
    EXPECT_NEAR(value(start, "seam", "tag").value_or(NAN), 0.9, 0.08);
    EXPECT_EQ(value(start, "seam", "J").value_or(NAN), 1);
    EXPECT_NEAR(value(start, "flux", "volume_rate").value_or(NAN), 0.6, 1e-6);
    EXPECT_NEAR(value(start, "height", "height").value_or(NAN), 0.6, 1e-6);
    ASSERT_TRUE(run_frames(**world, 2).empty());
    std::vector<std::optional<double>> found;
    for (const ProbeReading& reading : (*world)->statistics().probes)
      for (const auto& [name, v] : reading.values) found.push_back(v);
    if (first.empty()) first = found;
    EXPECT_EQ(first, found) << threads;
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace firn
