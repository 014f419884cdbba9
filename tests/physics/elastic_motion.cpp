// What every run must get right whatever the material does: place, time, free fall and momentum.
#include <gtest/gtest.h>

#include <cmath>

#include "cases/case_tools.h"
#include "particles/blocks.h"

namespace firn {
namespace {

constexpr double kSpacing = 0.05;
constexpr const char* kKernels[] = {"linear", "quadratic", "cubic"};
constexpr const char* kTransfers[] = {"mls", "apic", "flip", "pic"};

// Positions in cells, by id. Read from the state itself: a frame's coordinates in metres, 32 bits
// wide, step by a thousandth of a cell at one kilometre.
std::vector<Vec3d> positions_in_cells(const World& world) {
  const StateImage image = world.save();
  const auto& keys = std::get<std::vector<std::uint64_t>>(image.arrays.at("blocks"));
  const auto& begin = std::get<std::vector<std::uint32_t>>(image.arrays.at("set0/begin"));
  const auto& id = std::get<std::vector<std::uint64_t>>(image.arrays.at("set0/id0"));
  std::vector<Vec3d> result(id.size());
  for (int a = 0; a < 3; ++a) {
    const auto& offset =
        std::get<std::vector<float>>(image.arrays.at("set0/position" + std::to_string(a)));
    for (std::size_t b = 0; b < keys.size(); ++b)
      for (std::uint32_t p = begin[b]; p < begin[b + 1]; ++p)
        result[id[p]][a] = double(morton_coord<3>(keys[b])[a]) * BlockShape<3>::kEdge + offset[p];
  }
  return result;
}

// A ball that spins and hits the floor.
SceneSettings bouncing_ball(const Vec3d& shift) {
  SceneSettings scene = case_scene(3, kSpacing, 30);
  scene.gravity = {{0, -9.81, 0}};
  const int rubber = add_material(scene, elastic_material<NeoHookean>(1e5, 0.3));
  ObjectSettings& ball = add_ball(scene, rubber, 1000, Vec3d{{0.03, 0.26, 0.01}} + shift, 0.2);
  ball.velocity = {{0.7, -2, 0.3}};
  ball.angular_velocity = {{0, 0, 200}};
  add_plane(scene, {{0, 0, 0}}, {{0, 1, 0}}, ContactKind::separate, 0.3);
  return scene;
}

TEST(ElasticMotion, AKilometreAwayThingsMoveTheSame) {
  const Vec3d shift{{1000, 0, 1000}};
  auto near = World::create(bouncing_ball({{0, 0, 0}}), Precision::single);
  auto far = World::create(bouncing_ball(shift), Precision::single);
  ASSERT_TRUE(near && far);
  const std::vector<Vec3d> start = positions_in_cells(**near);
  for (int step = 0; step < 50; ++step) {
    ASSERT_TRUE((*near)->advance_step());
    ASSERT_TRUE((*far)->advance_step());
  }
  const std::vector<Vec3d> here = positions_in_cells(**near), there = positions_in_cells(**far);
  ASSERT_EQ(here.size(), there.size());
  double worst = 0, travelled = 0;
  for (std::size_t i = 0; i < here.size(); ++i)
    for (int a = 0; a < 3; ++a) {
      worst = std::max(worst, std::abs(there[i][a] - here[i][a] - shift[a] / kSpacing));
      travelled = std::max(travelled, std::abs(here[i][a] - start[i][a]));
    }
  EXPECT_LT(worst, 1e-4);
  EXPECT_GT(travelled, 1);  // cells: something did move
}

TEST(ElasticMotion, FramesEndExactlyOnTheirTimes) {
  for (const double fps : {60.0, 17.0, 1000.0}) {
    SceneSettings scene = bouncing_ball({{0, 0, 0}});
    scene.fps = fps;
    auto world = World::create(scene, Precision::single);
    ASSERT_TRUE(world);
    double sum = 0, smallest = INFINITY, largest = 0;
    for (int frame = 1; frame <= 3; ++frame) {
      while ((*world)->frame() < frame) {
        const Result<double> dt = (*world)->advance_step();
        ASSERT_TRUE(dt);
        sum += *dt;
        smallest = std::min(smallest, *dt);
        largest = std::max(largest, *dt);
      }
      EXPECT_EQ((*world)->time(), frame / fps);
      EXPECT_NEAR(sum, frame / fps, 1e-13);
    }
    EXPECT_GT(smallest, 0.3 * largest);  // the end of a frame leaves no sliver of a step
  }
}

// Particles that sit on the very edge of a kernel leave nodes with masses of 1e-45 kg.
TEST(ElasticMotion, NodesOfVanishingMassDoNoHarm) {
  SceneSettings scene = case_scene(3, 0.04, 30);
  const int rubber = add_material(scene, elastic_material<NeoHookean>(3e4, 0.3));
  ObjectSettings& ball = add_ball(scene, rubber, 1000, {{-1.8, 0.75, 0}}, 0.4);
  ball.velocity = {{0, -4.5, 0}};
  ball.sampling.particles_per_cell = 1;
  const auto world = run_scene(scene, Precision::single, 4);
  ASSERT_TRUE(world) << world.errors().front();
  EXPECT_NEAR((*world)->statistics().max_speed, 4.5, 1e-4);
}

SceneSettings free_flight(int dimension, KernelKind kernel, TransferKind transfer) {
  SceneSettings scene = case_scene(dimension, kSpacing, 100);
  scene.mpm.kernel = kernel;
  scene.mpm.transfer = transfer;
  const int rubber = add_material(scene, elastic_material<FixedCorotated>(1e5, 0.3));
  ObjectSettings& body = add_box(scene, rubber, 1000, {{-0.21, 0.1, 0}}, {{0.17, 0.33, 0.2}});
  body.velocity = {{1.3, -0.4, dimension == 3 ? 0.6 : 0}};
  return scene;
}

class EveryTransfer : public ::testing::TestWithParam<std::tuple<int, int>> {
 protected:
  KernelKind kernel() const { return static_cast<KernelKind>(std::get<0>(GetParam())); }
  TransferKind transfer() const { return static_cast<TransferKind>(std::get<1>(GetParam())); }
};

// Velocity g t and, with equal steps, distance g t (t + dt) / 2, and nothing is strained.
TEST_P(EveryTransfer, FreeFallIsExact) {
  SceneSettings scene = free_flight(2, kernel(), transfer());
  scene.objects[0].velocity = {{0, 0, 0}};
  const Vec3d gravity{{1.5, -9.81, 0}};
  scene.gravity = {{gravity[0], gravity[1], 0}};
  scene.integrator.fixed_dt = 1e-3;
  double start = 0;
  const auto world = run_scene(scene, Precision::double_, 10, [&](const World& w) {
    if (w.frame() == 0) start = w.statistics().gravity_potential;
  });
  ASSERT_TRUE(world) << world.errors()[0];
  const FrameStats stats = (*world)->statistics();
  const double t = 0.1, g2 = dot(gravity, gravity);
  for (int a = 0; a < 2; ++a) EXPECT_NEAR(stats.momentum[a] / stats.mass, gravity[a] * t, 1e-12);
  EXPECT_NEAR((start - stats.gravity_potential) / stats.mass, g2 * t * (t + 1e-3) / 2, 1e-10);
  const PointTable table = (*world)->snapshot({"F", "velocity"});
  for (const char* name : {"F_xx", "F_yy"})
    for (const double f : table.as_double(name)) ASSERT_NEAR(f, 1, 1e-7) << name;
  for (const char* name : {"F_xy", "F_yx"})
    for (const double f : table.as_double(name)) ASSERT_NEAR(f, 0, 1e-7) << name;
}

TEST_P(EveryTransfer, MomentumIsKeptInFreeFlight) {
  for (const int dimension : {2, 3})
    for (const Precision precision : {Precision::single, Precision::double_}) {
      SceneSettings scene = free_flight(dimension, kernel(), transfer());
      scene.objects[0].angular_velocity = {{dimension == 3 ? 40.0 : 0.0, 0, 120}};
      FrameStats start;
      const auto world = run_scene(scene, precision, 5, [&](const World& w) {
        if (w.frame() == 0) start = w.statistics();
      });
      ASSERT_TRUE(world) << world.errors()[0];
      const FrameStats end = (*world)->statistics();
      const double size = std::sqrt(dot(start.momentum, start.momentum));
      const double tolerance = precision == Precision::single ? 2e-6 : 1e-13;
      for (int a = 0; a < dimension; ++a)
        EXPECT_NEAR(end.momentum[a] / size, start.momentum[a] / size, tolerance);
      EXPECT_NEAR(end.mass, start.mass, 1e-12 * start.mass);
      EXPECT_GT(end.elastic, 0);  // it spins: there was a stress that could have done harm
    }
}

// A rigid spin is an affine velocity field, and at rest there is no stress: the grid must hand back
// what it was given. That also takes the right start of what APIC and MLS particles carry.
TEST_P(EveryTransfer, AffineTransfersKeepARigidSpinInTheFirstStep) {
  const bool affine = transfer() == TransferKind::mls || transfer() == TransferKind::apic;
  for (const int dimension : {2, 3}) {
    SceneSettings scene = free_flight(dimension, kernel(), transfer());
    scene.objects[0].angular_velocity = {{dimension == 3 ? 90.0 : 0.0, 0, 180}};
    auto world = World::create(scene, Precision::double_);
    ASSERT_TRUE(world) << world.errors()[0];
    const PointTable before = (*world)->snapshot({"velocity"});
    ASSERT_TRUE((*world)->advance_step());
    const PointTable after = (*world)->snapshot({"velocity"});
    double worst = 0;
    for (const char* name : {"vx", "vy", "vz"}) {
      const auto v0 = before.as_double(name), v1 = after.as_double(name);
      for (std::size_t i = 0; i < v0.size(); ++i) worst = std::max(worst, std::abs(v1[i] - v0[i]));
    }
    if (affine)
      EXPECT_LT(worst, 1e-6);
    else
      EXPECT_GT(worst, 1e-6);  // PIC and FLIP cannot
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryTransfer,
                         ::testing::Combine(::testing::Range(0, 3), ::testing::Range(0, 4)),
                         [](const auto& info) {
                           return std::string(kKernels[std::get<0>(info.param)]) + "_" +
                                  kTransfers[std::get<1>(info.param)];
                         });

}  // namespace
}  // namespace firn
