// The cure against volume drift: it keeps the volume of moving water, leaves water at rest alone,
// moves no momentum, knows walls, and does not take other materials for water.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cases/water.h"
#include "mpm/fluid_volume.h"
#include "mpm/solver.h"
#include "sim/initial_state.h"
#include "sim/mpm_maker.h"

namespace firn {
namespace {

constexpr double kFps = 10;

// Level of a column released in a tank, over what it should settle to, after 9 s.
double sloshed_volume(KernelKind kernel, bool correction) {
  Tank tank;
  tank.spacing = 1.0 / 16;
  tank.kernel = kernel;
  tank.volume_correction = correction;
  SceneSettings scene = tank_scene(tank, kFps);
  add_water(scene, tank, 0.5, 1);
  double mean = 0;
  const auto world = run_scene(scene, Precision::single, 100, [&](const World& w) {
    if (w.frame() > 80) mean += center_level(w.snapshot({})) / 20;
  });
  EXPECT_TRUE(world) << world.errors().front();
  return mean / 0.5;
}

TEST(FluidVolume, SloshingWaterKeepsItsVolume) {
  EXPECT_NEAR(sloshed_volume(KernelKind::cubic, true), 1, 0.03);
  const double kept = sloshed_volume(KernelKind::quadratic, true);
  const double drifted = sloshed_volume(KernelKind::quadratic, false);
  EXPECT_NEAR(kept, 1, 0.03);
  EXPECT_LT(drifted, 0.96);
  EXPECT_LT(std::abs(kept - 1), 0.5 * std::abs(drifted - 1));
}

TEST(FluidVolume, WaterAtRestComesToRest) {
  Tank tank;
  tank.spacing = 1.0 / 16;
  SceneSettings scene = tank_scene(tank, kFps);
  ObjectSettings& water = add_water(scene, tank, 1, 0.5);
  water.sampling.kind = SamplingKind::poisson;  // a disordered start
  const auto world = run_scene(scene, Precision::single, 30);
  ASSERT_TRUE(world) << world.errors().front();
  const FrameStats stats = (*world)->statistics();
  EXPECT_LT(stats.max_speed, 0.02);
  EXPECT_LT(stats.kinetic / stats.mass, 2e-5 * kWaterGravity * 0.5);
  EXPECT_NEAR(center_level((*world)->snapshot({})) / 0.5, 1, 0.02);
}

// Water that rushes into the corners of a container stays inside. In 32 bits, where -9 times the
// spacing is not quite -0.36.
TEST(FluidVolume, CornersOfAContainerHold) {
  SceneSettings scene = case_scene(2, 0.04, 15);
  scene.gravity = {{0, -kWaterGravity, 0}};
  add_material(scene, Fluid::Parameters{});
  add_box(scene, 0, kWaterDensity, {{-0.36, 0, 0}}, {{0, 0.8, 0}});
  add_container(scene, {{-0.36, 0, 0}}, {{0.36, 3, 0}}, ContactKind::separate);
  const auto world = run_scene(scene, Precision::single, 20);
  ASSERT_TRUE(world) << world.errors().front();
  const PointTable table = (*world)->snapshot({});
  for (const double x : table.as_double("x")) EXPECT_LT(std::abs(x), 0.36 + 0.1 * 0.04);
  for (const double y : table.as_double("y")) EXPECT_GT(y, -0.1 * 0.04);
}

TEST(FluidVolume, MomentumStays) {
  Tank tank;
  tank.spacing = 1.0 / 16;
  SceneSettings scene = tank_scene(tank, kFps);
  scene.gravity = {{0, 0, 0}};
  scene.colliders.clear();
  ObjectSettings& water = add_water(scene, tank, 0.5, 0.5);
  water.velocity = {{0.3, -0.2, 0}};
  water.angular_velocity = {{0, 0, 200}};
  InitialField ratio;  // crowded and thin places, so that there is something to correct
  ratio.name = "J";
  ratio.value.expression = "1 + 0.03 * sin(20 * x) * cos(31 * y)";
  water.fields.push_back(ratio);
  auto world = World::create(scene, Precision::double_);
  ASSERT_TRUE(world) << world.errors().front();
  const FrameStats before = (*world)->statistics();
  ASSERT_TRUE(run_frames(**world, 5).empty());
  const FrameStats after = (*world)->statistics();
  EXPECT_GT((*world)->total_steps(), 5 * kVolumeInterval);
  const double scale = before.mass * before.max_speed;
  for (int a = 0; a < 2; ++a)
    EXPECT_NEAR(after.momentum[a], before.momentum[a], 1e-12 * scale * before.particles);
  EXPECT_NEAR(after.angular_momentum[2], before.angular_momentum[2], 1e-9 * scale);
}

// Integral of the quadratic B-spline from -infinity to x.
double spline_integral(double x) {
  x = clamp(x, -1.5, 1.5);
  if (x < -0.5) return std::pow(x + 1.5, 3) / 6;
  if (x > 0.5) return 1 - std::pow(1.5 - x, 3) / 6;
  return 0.5 + 0.75 * x - x * x * x / 3;
}

Collider plane_at(double y, const Vec3d& normal = {{0, 1, 0}}) {
  ColliderShapeSettings shape;
  shape.kind = ShapeType::plane;
  shape.center = {{0, y, 0}};
  shape.normal = normal;
  Collider collider;
  collider.meets_fluid = true;
  collider.shape = placed(shape, 2);
  return collider;
}

TEST(FluidVolume, WallsTakeTheirShareOfANode) {
  const double h = 0.1;
  const std::vector<Collider> walls = {plane_at(0), plane_at(0, {{1, 0, 0}})};
  for (int k = -3; k <= 3; ++k)
    EXPECT_NEAR(open_fraction<2>({{1, k * h, 0}}, h, KernelKind::quadratic, walls, {0}),
                spline_integral(k), 0.02)
        << k;
  EXPECT_NEAR(open_fraction<2>({{0, 0, 0}}, h, KernelKind::quadratic, walls, {0, 1}), 0.25, 0.1);
  EXPECT_NEAR(open_fraction<3>({{1, 0, 0}}, h, KernelKind::cubic, walls, {0}), 0.5, 1e-9);
  // A smooth wall between two layers of nodes is where it is; a rough one holds the lower layer,
  // and that is where the fluid ends.
  std::vector<Collider> between = {plane_at(0.4 * h)};
  EXPECT_NEAR(open_fraction<2>({{1, h, 0}}, h, KernelKind::quadratic, between, {0}),
              spline_integral(0.6), 0.02);
  between[0].friction = 0.5;
  EXPECT_NEAR(open_fraction<2>({{1, h, 0}}, h, KernelKind::quadratic, between, {0}),
              spline_integral(1), 0.02);
}

TEST(FluidVolume, WallsTakeTheirShareWhereTheyAreNow) {
  const double h = 0.1;
  Collider moved = plane_at(0);
  moved.moves = true;
  moved.now.translation = moved.next.translation = {{0, 5 * h, 0}};
  const std::vector<Collider> walls = {plane_at(0), moved};
  for (int k = -3; k <= 3; ++k)
    EXPECT_NEAR(open_fraction<2>({{1, (k + 5) * h, 0}}, h, KernelKind::quadratic, walls, {1}),
                open_fraction<2>({{1, k * h, 0}}, h, KernelKind::quadratic, walls, {0}), 1e-9)
        << k;
}

// Sources of water on a lattice that is being sheared, alone or with `company` in the same place.
std::vector<double> sources(bool company, double initial_J) {
  SceneSettings scene = case_scene(2, 0.1, kFps);
  add_material(scene, Fluid::Parameters{});
  add_material(scene, elastic_material<NeoHookean>(1e5, 0.3));
  add_box(scene, 0, kWaterDensity, {{0, 0, 0}}, {{2, 2, 0}});
  InitialField ratio;
  ratio.name = "J";
  ratio.value.value = initial_J;
  scene.objects[0].fields.push_back(ratio);
  if (company) add_box(scene, 1, 3000, {{0, 0, 0}}, {{2, 2, 0}});
  auto particles = initial_particles(scene);
  EXPECT_TRUE(particles);
  auto built =
      build_initial_state<double, 2>(scene, solver_maker(scene).plan(scene), std::move(*particles));
  EXPECT_TRUE(built);
  MpmState<double, 2> state(std::move(built->particles));
  MpmSolver<double, 2> solver(mpm_settings(scene), ColliderSet());
  solver.prepare(state);
  auto& water = state.sets[0].particles;
  for (std::size_t p = 0; p < water.size(); ++p) water[column::affine][1][p] = 1;
  ContactMap<2> contacts;
  contacts.build(state.blocks, ColliderSet(), scene.grid.spacing, 0.5, 1);
  update_volume_sources(mpm_settings(scene), {}, contacts, 1e-4, state);
  return {water[column::source][0], water[column::source][0] + water.size()};
}

TEST(FluidVolume, OtherMaterialsAreNotWater) {
  const std::vector<double> alone = sources(false, 0.95), together = sources(true, 0.95);
  ASSERT_EQ(alone.size(), together.size());
  for (std::size_t p = 0; p < alone.size(); ++p) EXPECT_NEAR(together[p], alone[p], 1e-12);
}

TEST(FluidVolume, SourcesUndoExcessAndLack) {
  // A lattice that claims 5 % less than it takes grows inside and is left alone at the surface; one
  // that claims more than there is room for shrinks; one that fits has no source.
  const std::vector<double> lack = sources(false, 0.95), excess = sources(false, 1.05),
                            none = sources(false, 1);
  EXPECT_GT(*std::max_element(lack.begin(), lack.end()), 0.05);
  EXPECT_NEAR(*std::min_element(lack.begin(), lack.end()), 0, 1e-12);
  EXPECT_LT(*std::min_element(excess.begin(), excess.end()), -0.05);
  EXPECT_NEAR(*std::max_element(excess.begin(), excess.end()), 0, 1e-12);
  for (double s : none) EXPECT_NEAR(s, 0, 1e-12);
}

}  // namespace
}  // namespace firn
